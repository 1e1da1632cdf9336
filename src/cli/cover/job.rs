//! A file to count: the form in which plans store it and all commands count it.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use base::Kernel;
use cover::format::{self, Input};
use cover::{Count, Engine};
use search::value;
use serde::{Deserialize, Serialize};

use crate::cli::ending::Usage;
use crate::cli::io;
use crate::program::{Counting, Error, Settings};

/// All covers of the problem in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverFile {
    pub file: PathBuf,
    /// The name of the engine, on which the subtrees depend; `None` stands for the fastest one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// All kernels find equal subtotals, so plans leave the choice to each machine.
    #[serde(skip)]
    pub kernel: Option<Kernel>,
}

/// The bytes of a file, uncompressed.
fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::open(path)?.read_to_end(&mut bytes).with_context(|| io::cannot_read(path))?;
    Ok(bytes)
}

/// The problem in a file.
pub fn read(path: &Path) -> Result<Input> {
    let input = format::read(&bytes(path)?, &io::name(path));
    Ok(input.map_err(|error| Usage(error.to_string()))?)
}

impl Counting for CoverFile {
    type Problem = Count;
    const NAME: &'static str = "cover";
    const EXAMPLE: &'static str = "puzzle.txt";
    const SOURCE: &'static str = "the file's head";
    const NOUN: &'static str = "cover";
    const HAS_METHODS: bool = true;

    fn problem(&self, _: &Settings) -> Result<Count, Error> {
        let engine: Option<Engine> = self.engine.as_deref().map(str::parse).transpose()?;
        let input = format::read(&bytes(&self.file)?, &io::name(&self.file))?;
        let settings = cover::Settings::new().engine(engine).kernel(self.kernel);
        Ok(Count::with(input.cover(), settings)?)
    }

    /// What a comment of the file says; standard input can be read only once.
    fn known(&self) -> Option<u128> {
        if self.file == Path::new("-") {
            return None;
        }
        format::known_count(&bytes(&self.file).ok()?)
    }

    fn title(&self, _: &str) -> String {
        format!("covers of {}", io::name(&self.file))
    }

    fn details(&self, problem: &Count) -> Vec<(&'static str, String)> {
        vec![("engine", problem.engine().to_string()), ("kernel", problem.kernel().to_string())]
    }

    /// Each engine, and the search over masks with each kernel, as far as they can count the problem here.
    fn methods(&self) -> Vec<Self> {
        let Ok(input) = read(&self.file) else { return vec![self.clone()] };
        let masks = Kernel::ALL.map(|kernel| (Engine::Masks, Some(kernel)));
        [(Engine::Sets, None), (Engine::Frontier, None)]
            .into_iter()
            .chain(masks)
            .filter(|&(engine, kernel)| {
                let settings = cover::Settings::new().engine(engine).kernel(kernel);
                Count::with(input.cover(), settings).is_ok()
            })
            .map(|(engine, kernel)| Self {
                engine: Some(engine.to_string()),
                kernel,
                ..self.clone()
            })
            .collect()
    }

    fn with_method_of(&self, identity: &str) -> Self {
        let engine = value(identity, "engine").filter(|_| identity.starts_with("cover "));
        let engine = self.engine.clone().or(engine.map(str::to_owned));
        Self { engine, ..self.clone() }
    }
}
