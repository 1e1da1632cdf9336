//! CPU time of one thread for each instance, and the ratio of the ruler's time to it. The ruler is a plain dancing-links counter,
//! which runs in turns with the engines. `cargo bench -p tallyboard-cover --bench ratios -- [ROUNDS] [NAME…]`

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use base::Kernel;
use search::Problem;
use support::{instances, ruler};
use tallyboard_cover::{Count, CountError, Cover, Settings};

/// The CPU time of this thread in seconds; wall time where the system does not tell.
fn cpu_seconds(start: Instant) -> f64 {
    base::clock::thread_time().unwrap_or_else(|| start.elapsed().as_secs_f64())
}

fn timed<T>(start: Instant, work: impl FnOnce() -> T) -> (T, f64) {
    let before = cpu_seconds(start);
    let result = black_box(work());
    (result, cpu_seconds(start) - before)
}

fn total_and_nodes(cover: &Cover, settings: Settings) -> Result<(u128, u64), CountError> {
    Count::with(cover, settings)?.total_and_nodes()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    if times.is_empty() { f64::NAN } else { times[times.len() / 2] }
}

/// An instance: its name, the function that makes it, its count, and whether the ruler can count it in seconds.
type Instance = (&'static str, fn() -> Cover, u128, bool);

const INSTANCES: [Instance; 17] = [
    ("pentominoes-6x10", || instances::pentominoes(6, 10, &[]), 9_356, true),
    ("pentominoes-5x12", || instances::pentominoes(5, 12, &[]), 4_040, true),
    ("pentominoes-4x15", || instances::pentominoes(4, 15, &[]), 1_472, true),
    ("pentominoes-8x8", instances::eight_by_eight, 520, true),
    ("hexiamonds-6x6", instances::hexiamonds, 624, true),
    ("soma", instances::soma, 11_520, true),
    ("langford-12", || instances::langford(12), 108_144, true),
    ("langford-14", || instances::langford(14), 0, true),
    ("queens-13", || instances::queens(13), 73_712, true),
    ("macmahon-4x6", instances::macmahon, 106_624, true),
    ("latin-5", || instances::latin(5), 161_280, true),
    ("dominoes-8x8", || instances::tiling("xx", 8, 8), 12_988_816, true),
    ("trominoes-9x9", || instances::tiling("xx/x.", 9, 9), 1_193_600, true),
    ("dominoes-12x12", || instances::tiling("xx", 12, 12), 53_060_477_521_960_000, false),
    ("any-pentominoes-5x10", || instances::any_pentominoes(5, 10), 101_698_212, false),
    ("bell-10", || instances::bell(10), 115_975, true),
    ("dominoes-and-cells", || instances::dominoes_and_cells(5), 2_580_011, false),
];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let start = Instant::now();
    let mut rounds = 3;
    let mut names = Vec::new();
    for arg in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
        match arg.parse() {
            Ok(number) => rounds = number,
            Err(_) => names.push(arg),
        }
    }
    let kernels: Vec<Kernel> = Kernel::available().collect();
    write!(out, "{:<22} {:>9} {:>10}", "instance", "ruler", "nodes")?;
    for kernel in &kernels {
        write!(out, " {:>10} {:>6}", kernel.to_string(), "times")?;
    }
    writeln!(out, " {:>10} {:>7} kernel engine subtrees", "nodes", "ns/node")?;
    for (name, make, expected, with_ruler) in INSTANCES {
        if !names.is_empty() && !names.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let cover = make();
        let mut of_ruler = Vec::new();
        let mut of_kernels = vec![Vec::new(); kernels.len()];
        let mut ruler_nodes = 0;
        let mut nodes = 0;
        for _ in 0..rounds {
            if with_ruler {
                let ((total, nodes), seconds) = timed(start, || ruler::nodes(&cover));
                assert_eq!(total, expected, "{name} by the ruler");
                ruler_nodes = nodes;
                of_ruler.push(seconds);
            }
            for (kernel, times) in kernels.iter().zip(&mut of_kernels) {
                let ((total, kernel_nodes), seconds) = timed(start, || {
                    total_and_nodes(&cover, Settings::new().kernel(*kernel)).unwrap()
                });
                assert_eq!(total, expected, "{name} by {kernel}");
                nodes = kernel_nodes;
                times.push(seconds);
            }
        }
        let ruler = if with_ruler { median(of_ruler) } else { f64::NAN };
        write!(out, "{name:<22} {ruler:>9.4} {ruler_nodes:>10}")?;
        let mut last = 0.0;
        for times in of_kernels {
            last = median(times);
            write!(out, " {last:>10.4} {:>6.1}", ruler / last)?;
        }
        let count = Count::new(&cover).unwrap();
        writeln!(
            out,
            " {nodes:>10} {:>7.1} {} {} {}",
            last / nodes as f64 * 1e9,
            count.kernel(),
            count.engine(),
            count.split().len()
        )?;
    }
    Ok(())
}
