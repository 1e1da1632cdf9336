//! Writes a bundle, whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{
    Bundle, BundleError, PLAN, README, SHARDS, SUBTOTALS, SUMS, SealedFile, ShardList, TITLE_LINE,
    sha256, subtotal_line,
};
use tallyboard_files::calls::{Call, fault_point};
use tallyboard_files::whole::{folder_of, sync_name, write_whole};

const README_TEXT: &str = "\
A count in shards by tallyboard, with the subtotals that add up to it.

plan.json         what was counted, and how it was cut into subtrees and dealt to shards
shards.json       for each shard who counted it, its sum, and the SHA-256 of its lines in subtotals.csv.gz
subtotals.csv.gz  subtree,shard,solutions: a line for each subtree; all solutions added up are the count (of a
                  problem that counts modulo a number, the sum modulo that number)
SHA256SUMS        SHA-256 of each of these files; that of SHA256SUMS itself is the fingerprint of the bundle

Without the program:

    sha256sum -c SHA256SUMS
    sha256sum SHA256SUMS
    zcat subtotals.csv.gz | awk -F, 'NR > 1 { print $3 }' | paste -sd+ | bc
    zcat subtotals.csv.gz | awk -F, '$2 == 17' | sha256sum

With it, from the folder above this one (tallyboard, or the program of the problem):

    tallyboard cluster check FOLDER
    tallyboard cluster check FOLDER --share 0.001 --seed 1
";

impl Bundle {
    /// Writes the bundle of a plan, whose file has the bytes `plan`, as the new folder `folder`. Returns its
    /// fingerprint.
    ///
    /// # Errors
    /// If `folder` is there already, or cannot be written.
    pub fn write(&self, plan: &[u8], folder: &Path) -> Result<String, BundleError> {
        if let Some(suffix) = archive_suffix(folder) {
            let what = format!(
                "found the name of an archive ({suffix}), expected that of a folder: pack the folder afterwards"
            );
            return Err(BundleError::file(folder)(what));
        }
        if fs::symlink_metadata(folder).is_ok() {
            return Err(BundleError::file(folder)("found something, expected a free name"));
        }
        let mut name = std::ffi::OsString::from(".");
        name.push(folder.file_name().unwrap_or_default());
        name.push(format!(".{}.unfinished", std::process::id()));
        let unfinished = folder_of(folder).join(name);
        fs::create_dir(&unfinished).map_err(BundleError::file(&unfinished))?;
        let written = self.write_files(plan, &unfinished).and_then(|fingerprint| {
            take_name(&unfinished, folder).map_err(BundleError::file(folder))?;
            Ok(fingerprint)
        });
        if written.is_err() {
            // The folder is incomplete. Only this program uses its name, so nothing else is deleted.
            let _ = fs::remove_dir_all(&unfinished);
        }
        written
    }

    /// Writes the files of the bundle into `folder`. Returns the fingerprint.
    fn write_files(&self, plan: &[u8], folder: &Path) -> Result<String, BundleError> {
        let list = ShardList { work: self.work.clone(), shards: self.shards.clone() };
        let shards = list.encode().map_err(BundleError::file(&folder.join(SHARDS)))?;
        let subtotals = self.compressed().map_err(BundleError::file(&folder.join(SUBTOTALS)))?;
        let files: [(&str, &[u8]); 4] = [
            (README, README_TEXT.as_bytes()),
            (PLAN, plan),
            (SHARDS, &shards),
            (SUBTOTALS, &subtotals),
        ];
        let mut sums = String::new();
        for (name, bytes) in files {
            write_file(&folder.join(name), bytes)?;
            sums += &format!("{}  {name}\n", sha256(bytes));
        }
        write_file(&folder.join(SUMS), sums.as_bytes())?;
        Ok(sha256(sums.as_bytes()))
    }

    /// The file of subtotals. Equal subtotals give equal bytes.
    fn compressed(&self) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        writeln!(encoder, "{TITLE_LINE}")?;
        for (id, &subtotal) in self.subtotals.iter().enumerate() {
            encoder.write_all(subtotal_line(id, subtotal).as_bytes())?;
        }
        encoder.finish()
    }
}

/// Renames the complete folder `unfinished` to `folder`.
fn take_name(unfinished: &Path, folder: &Path) -> io::Result<()> {
    fault_point(Call::Rename)?;
    fs::rename(unfinished, folder)?;
    sync_name(folder)
}

/// The suffix of the name of `folder`, if people give it to packed folders.
fn archive_suffix(folder: &Path) -> Option<&'static str> {
    const SUFFIXES: [&str; 6] = [".tar", ".tgz", ".gz", ".zst", ".xz", ".zip"];
    let name = folder.file_name()?.to_str()?.to_ascii_lowercase();
    SUFFIXES.into_iter().find(|suffix| name.ends_with(suffix))
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BundleError> {
    write_whole(path, bytes).map_err(BundleError::file(path))
}
