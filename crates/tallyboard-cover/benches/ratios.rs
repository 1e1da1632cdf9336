//! CPU time of one thread for each puzzle, and the ratio of the ruler's time to it. The ruler is a plain dancing-links counter,
//! which runs in turns with the engines. `cargo bench -p tallyboard-cover --bench ratios -- [ROUNDS] [NAME…]`

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::io::{self, Write};

use support::{instances, ruler};
use tallyboard_base::Kernel;
use tallyboard_base::clock::ThreadWatch;
use tallyboard_base::statistics::median;
use tallyboard_cover::format::known_count;
use tallyboard_cover::{Count, Settings};
use tallyboard_search::Problem;

/// The result of some work, and the CPU time that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let watch = ThreadWatch::start();
    let result = black_box(work());
    (result, watch.seconds())
}

/// Puzzles of the gallery.
const PUZZLES: &str = "pentominoes-6x10 pentominoes-5x12 pentominoes-4x15 pentominoes-8x8 hexiamonds-6x6 soma langford-12 \
                       queens-13 macmahon-4x6 latin-5 dominoes-8x8 trominoes-9x9 dominoes-12x12 any-pentominoes-5x10 \
                       partitions-10 dominoes-and-cells-5x5";

/// Those that the ruler cannot count in seconds.
const NOT_FOR_THE_RULER: [&str; 3] =
    ["dominoes-12x12", "any-pentominoes-5x10", "dominoes-and-cells-5x5"];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut rounds = 3_u32;
    let mut names = Vec::new();
    for arg in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
        match arg.parse() {
            Ok(number) => rounds = number,
            Err(_) => names.push(arg),
        }
    }
    if rounds == 0 {
        return Err(io::Error::other("0 rounds have no median, 1 at least is needed"));
    }
    let kernels: Vec<Kernel> = Kernel::available().collect();
    write!(out, "{:<22} {:>9} {:>10}", "puzzle", "ruler", "nodes")?;
    for kernel in &kernels {
        write!(out, " {:>10} {:>6}", kernel.to_string(), "times")?;
    }
    writeln!(out, " {:>10} {:>7} kernel engine subtrees", "nodes", "ns/node")?;
    for name in PUZZLES.split(' ') {
        if !names.is_empty() && !names.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let with_ruler = !NOT_FOR_THE_RULER.contains(&name);
        let cover = instances::gallery(name);
        let expected = known_count(instances::gallery_text(name).as_bytes()).unwrap();
        let mut of_ruler = Vec::new();
        let mut of_kernels = vec![Vec::new(); kernels.len()];
        let mut ruler_nodes = 0;
        let mut nodes = 0;
        for _ in 0..rounds {
            if with_ruler {
                let ((total, nodes), seconds) = timed(|| ruler::nodes(&cover));
                assert_eq!(total, expected, "{name} by the ruler");
                ruler_nodes = nodes;
                of_ruler.push(seconds);
            }
            for (kernel, times) in kernels.iter().zip(&mut of_kernels) {
                let settings = Settings::new().kernel(*kernel);
                let count = || Count::with(&cover, settings).and_then(|it| it.total_and_nodes());
                let (counted, seconds) = timed(count);
                let (total, kernel_nodes) = counted.unwrap();
                assert_eq!(total, expected, "{name} by {kernel}");
                nodes = kernel_nodes;
                times.push(seconds);
            }
        }
        let ruler = if with_ruler { median(&of_ruler) } else { f64::NAN };
        write!(out, "{name:<22} {ruler:>9.4} {ruler_nodes:>10}")?;
        let mut last = 0.0;
        for times in of_kernels {
            last = median(&times);
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
