//! Explanations against the only solution, and canonical forms of boards that are alike.

use tallyboard_base::cpu::Instructions;
use tallyboard_regions::{Board, Fact, Generator, Solutions, Verdict, Wishes, canonical, explain};
use tallyboard_search::Stop;

#[test]
fn each_step_is_true_of_the_only_solution_and_they_lead_to_it() {
    for (size, stars, boards) in [(6, 1, 40), (8, 1, 40), (10, 1, 10), (8, 2, 2)] {
        let generator = Generator::new(Wishes::new(size, stars), 7).unwrap();
        let numbers: Vec<u64> = (0..boards).collect();
        let mut solved = 0;
        for board in generator.boards(&numbers, Instructions::best(), &Stop::new()).unwrap() {
            let solution = Solutions::new(&board).next().unwrap();
            let has_star = |&(row, column): &(usize, usize)| solution[row] >> column & 1 == 1;
            let explanation = explain(&board);
            for step in &explanation.steps {
                match &step.fact {
                    Fact::Stars(cells) => assert!(cells.iter().all(has_star), "{step:?}"),
                    Fact::Crossed(cells) => assert!(!cells.iter().any(has_star), "{step:?}"),
                }
            }
            if explanation.grade().is_some() {
                solved += 1;
                let stars: Vec<u32> = explanation.rows.iter().map(|row| row.stars).collect();
                assert_eq!(stars, solution);
            }
        }
        assert!(stars > 1 || solved * 2 > boards, "{solved} of {boards} for n = {size}");
    }
}

#[test]
fn a_board_without_a_solution_is_found_dead() {
    let labels: Vec<u32> = (0..9).map(|cell| cell / 3).collect();
    let explanation = explain(&Board::new(&labels, 1).unwrap());
    assert_eq!(explanation.verdict, Verdict::Dead);
    assert_eq!(explanation.grade(), None);
}

#[test]
fn all_images_of_a_board_have_one_canonical_form_and_other_boards_another() {
    type Symmetry = fn(usize, usize) -> (usize, usize);
    const SIZE: usize = 7;
    let generator = Generator::new(Wishes::new(SIZE, 1), 3).unwrap();
    let symmetries: [Symmetry; 8] = [
        |row, column| (row, column),
        |row, column| (column, SIZE - 1 - row),
        |row, column| (SIZE - 1 - row, SIZE - 1 - column),
        |row, column| (SIZE - 1 - column, row),
        |row, column| (row, SIZE - 1 - column),
        |row, column| (SIZE - 1 - row, column),
        |row, column| (column, row),
        |row, column| (SIZE - 1 - column, SIZE - 1 - row),
    ];
    let mut forms = Vec::new();
    for number in 0..40 {
        let board = generator.draft(number).unwrap();
        let form = canonical(&board.clone().block(0, 1).unwrap().give(3, 5).unwrap());
        for symmetry in symmetries {
            // Other names of the regions make no other board.
            for name in [|region: u8| u32::from(region), |region| 100 - u32::from(region)] {
                let mut labels = vec![0; SIZE * SIZE];
                for (cell, &region) in board.regions().iter().enumerate() {
                    let (row, column) = symmetry(cell / SIZE, cell % SIZE);
                    labels[row * SIZE + column] = name(region);
                }
                let (row, column) = symmetry(0, 1);
                let given = symmetry(3, 5);
                let image = Board::new(&labels, 1).unwrap().block(row, column).unwrap();
                let image = image.give(given.0, given.1).unwrap();
                assert_eq!(canonical(&image), form);
            }
        }
        forms.push(form);
    }
    forms.sort_by_key(|form| form.regions().to_vec());
    forms.dedup();
    assert_eq!(forms.len(), 40);
}
