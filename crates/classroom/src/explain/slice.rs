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
    let mut is_needed = vec![false; steps.len()];
    for number in wanted {
        is_needed[number - steps_before - 1] = true;
    }
    // A step rests on earlier ones only.
    for index in (0..steps.len()).rev() {
        if !is_needed[index] {
            continue;
        }
        for fact in facts(&mut steps[index]) {
            if let Some(inside) = fact.step.and_then(|step| step.checked_sub(steps_before + 1)) {
                is_needed[inside] = true;
            }
        }
    }
    let mut kept = steps_before;
    let mut new_numbers = Vec::new();
    for &is_needed in &is_needed {
        kept += usize::from(is_needed);
        new_numbers.push(kept);
    }
    let mut sliced = Vec::new();
    for (mut step, is_needed) in steps.into_iter().zip(is_needed) {
        if !is_needed {
            continue;
        }
        for fact in facts(&mut step) {
            if let Some(inside) = fact.step.and_then(|step| step.checked_sub(steps_before + 1)) {
                fact.step = Some(new_numbers[inside]);
            }
        }
        sliced.push(step);
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
