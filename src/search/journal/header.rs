//! What a journal belongs to.

use serde::{Deserialize, Serialize};

use super::Refusal;

/// The first line of every journal; its number changes with the format.
const MAGIC: &str = "tallyboard journal 1\n";
/// Eight hexadecimal digits and a line break.
const SEAL: usize = 9;

/// The work that a journal belongs to. A journal is taken up only by exactly the same work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the program that writes the records.
    pub version: String,
    /// [`Problem::identity`](crate::search::Problem::identity).
    pub identity: String,
    /// Which of the subtrees: `all`, or the shard.
    pub part: String,
    /// Fingerprint of all subtrees of the problem.
    pub layout: String,
    /// The number of subtrees of this part.
    pub subtrees: usize,
    /// Their cost.
    pub cost: u64,
}

impl Header {
    /// The bytes at the start of the file.
    pub(super) fn encode(&self) -> Vec<u8> {
        let fields = serde_json::to_string(self).expect("plain fields have a JSON form");
        let mut text = format!("{MAGIC}{fields}\n");
        let checksum = crc32fast::hash(text.as_bytes());
        text.push_str(&format!("{checksum:08x}\n"));
        text.into_bytes()
    }

    /// Reads the header at the start of `bytes`; gives its length too.
    pub(super) fn decode(bytes: &[u8]) -> Result<(Self, usize), Refusal> {
        let fields = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(Refusal::NoJournal)?;
        let line = fields.iter().position(|&byte| byte == b'\n').ok_or(Refusal::Header)?;
        let sealed = MAGIC.len() + line + 1;
        let seal = bytes.get(sealed..sealed + SEAL).ok_or(Refusal::Header)?;
        let expected = format!("{:08x}\n", crc32fast::hash(&bytes[..sealed]));
        if seal != expected.as_bytes() {
            return Err(Refusal::Header);
        }
        let header = serde_json::from_slice(&fields[..line]).map_err(|_| Refusal::Header)?;
        Ok((header, sealed + SEAL))
    }

    /// What differs from the header `found` in a file, a phrase each; empty if they are equal.
    pub(super) fn differences(&self, found: &Self) -> Vec<String> {
        let mut phrases = Vec::new();
        let mut compare = |name: &str, here: &dyn ToString, there: &dyn ToString| {
            let (here, there) = (here.to_string(), there.to_string());
            if here != there {
                phrases.push(format!("{name} is '{there}' there and '{here}' here"));
            }
        };
        compare("the version", &self.version, &found.version);
        compare("the problem", &self.identity, &found.identity);
        compare("the part", &self.part, &found.part);
        compare("the layout", &self.layout, &found.layout);
        compare("the number of subtrees", &self.subtrees, &found.subtrees);
        compare("their cost", &self.cost, &found.cost);
        phrases
    }
}
