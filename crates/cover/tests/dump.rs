//! Writes the instances as files into a folder, to be counted by other programs.

mod support;

use support::instances;
use tallyboard_cover::format::{Format, write};

#[test]
#[ignore = "writes files into the folder that the variable DUMP names"]
fn instances_are_written() {
    let folder = std::env::var("DUMP").expect("the variable DUMP names a folder");
    for (name, cover) in [
        ("6x10", instances::pentominoes(6, 10, &[])),
        ("soma", instances::soma()),
        ("macmahon", instances::macmahon()),
        ("langford14", instances::langford(14)),
        ("queens13", instances::queens(13)),
        ("hexiamonds", instances::hexiamonds()),
    ] {
        std::fs::write(format!("{folder}/{name}.dlx"), write(&cover, Format::Knuth).unwrap()).unwrap();
    }
}
