//! Leaves out steps on which no wanted step rests.

use super::{Conclusion, Deduction, Fact, Step};

/// The facts that a step rests on.
fn facts(step: &mut Step) -> &mut [Fact] {
    match step {
        Step::Made(deduction) => &mut deduction.because,
        Step::DeadEnd(contradiction) => &mut contradiction.because,
        _ => &mut [],
    }
}

/// Keeps of `steps` the `wanted` ones and those that they rest on, and numbers them anew. The first of `steps` has the
/// number after `steps_before`; facts of earlier steps stay as they are.
pub fn slice(mut steps: Vec<Step>, steps_before: usize, wanted: &[usize]) -> Vec<Step> {
    // The index of the step that established a fact, if it is one of `steps`.
    let index_of = |fact: &Fact| fact.step?.checked_sub(steps_before + 1);
    let mut is_needed = vec![false; steps.len()];
    for number in wanted {
        is_needed[number - steps_before - 1] = true;
    }
    // A step rests on earlier ones only.
    for index in (0..steps.len()).rev() {
        if is_needed[index] {
            let rests_on = facts(&mut steps[index]).iter().filter_map(index_of);
            rests_on.for_each(|earlier| is_needed[earlier] = true);
        }
    }
    let mut new_numbers = vec![0; steps.len()];
    let mut sliced = Vec::new();
    for (index, mut step) in steps.into_iter().enumerate().filter(|(index, _)| is_needed[*index]) {
        for fact in facts(&mut step) {
            fact.step = index_of(fact).map(|index| new_numbers[index]).or(fact.step);
        }
        sliced.push(step);
        new_numbers[index] = steps_before + sliced.len();
    }
    sliced
}

/// Sets in each step back the number of moves that remain after it.
pub fn with_moves_left(mut steps: Vec<Step>) -> Vec<Step> {
    let mut depth = 0;
    let mut suppositions = Vec::new();
    for step in &mut steps {
        match step {
            Step::Made(Deduction { conclusion, .. }) => {
                if let Conclusion::Supposition(_) = conclusion {
                    suppositions.push(depth);
                }
                depth += 1;
            }
            Step::Back { to, .. } => {
                depth = suppositions.pop().expect("a supposition to take back");
                *to = depth;
            }
            _ => {}
        }
    }
    steps
}
