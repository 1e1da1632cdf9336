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

/// Of `steps`, which follow step `before`, keeps the `wanted` ones and those that they rest on, and numbers
/// them anew. Earlier steps keep their numbers.
pub fn slice(mut steps: Vec<Step>, before: usize, wanted: &[usize]) -> Vec<Step> {
    let mut is_needed = vec![false; steps.len()];
    for number in wanted {
        is_needed[number - before - 1] = true;
    }
    for at in (0..steps.len()).rev() {
        if !is_needed[at] {
            continue;
        }
        for fact in facts(&mut steps[at]) {
            if let Some(inside) = fact.step.and_then(|step| step.checked_sub(before + 1)) {
                is_needed[inside] = true;
            }
        }
    }
    let mut kept = before;
    let numbers: Vec<usize> = is_needed
        .iter()
        .map(|&is_needed| {
            kept += usize::from(is_needed);
            kept
        })
        .collect();
    let kept = steps.into_iter().zip(&is_needed).filter(|(_, is_needed)| **is_needed);
    let renumbered = kept.map(|(mut step, _)| {
        for fact in facts(&mut step) {
            fact.step = fact.step.map(|step| match step.checked_sub(before + 1) {
                Some(inside) => numbers[inside],
                None => step,
            });
        }
        step
    });
    renumbered.collect()
}

/// Sets in each step back the number of moves that remain after it.
pub fn with_levels(mut steps: Vec<Step>) -> Vec<Step> {
    let mut depth = 0;
    let mut suppositions = Vec::new();
    for step in &mut steps {
        match step {
            Step::Made(Deduction { conclusion, .. }) => {
                if let Conclusion::Supposition { .. } = conclusion {
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
