//! Counts the covers of a file: `count FILE [KERNEL]`.

use std::error::Error;
use std::time::Instant;

use base::Kernel;
use search::Problem;
use tallyboard_cover::{Count, Settings, format};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("expected a file")?;
    let kernel =
        args.next().and_then(|name| Kernel::ALL.into_iter().find(|kernel| kernel.name() == name));
    let start = Instant::now();
    let input = format::read_file(file)?;
    let cover = input.cover();
    eprintln!("read in {:?}", start.elapsed());
    let count = Count::with(cover, Settings::new().kernel(kernel))?;
    eprintln!(
        "{}; {} subtrees, planned after {:?}",
        count.identity(),
        count.split().len(),
        start.elapsed()
    );
    let (total, nodes) = count.total_and_nodes()?;
    eprintln!("{nodes} nodes, {:?}", start.elapsed());
    println!("{total}");
    Ok(())
}
