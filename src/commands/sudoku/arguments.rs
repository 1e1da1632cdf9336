//! One sudoku to count, in the form that plans store and all commands count.

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use serde::{Deserialize, Serialize};
use tallyboard_search::value;
use tallyboard_sudoku::sized::{CountSized, Puzzle};
use tallyboard_sudoku::{CountOne, Engine, Solver};

use super::draw::read;
use crate::counting::{Counting, Error, Resources, Run, Told};
use crate::terminal::{OrAuto, choices};

/// All solutions of one sudoku.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sudoku {
    /// The puzzle as text.
    puzzle: String,
    /// The name of the engine, on which the subtrees depend; `None` stands for the cheaper one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    /// The puzzle as it was read. It is `None` if the arguments come from a plan, which has the text alone.
    #[serde(skip)]
    read: Option<Puzzle>,
    /// All solvers find equal subtotals, so plans leave the choice to each machine.
    #[serde(skip)]
    solver: Solver,
}

impl Sudoku {
    /// The count of `puzzle`.
    pub fn new(puzzle: Puzzle, method: Option<Engine>, solver: Solver) -> Self {
        let text = match &puzzle {
            Puzzle::Nine(grid) => grid.to_string(),
            Puzzle::Sized(grid) => grid.to_string(),
        };
        let method = method.map(|engine| engine.name().to_owned());
        Self { puzzle: text, method, read: Some(puzzle), solver }
    }

    fn with_method(&self, engine: Engine) -> Box<dyn Counting> {
        Box::new(Self { method: Some(engine.name().to_owned()), ..self.clone() })
    }

    fn puzzle(&self) -> Result<Puzzle> {
        self.read.clone().map_or_else(|| read(&self.puzzle, "one puzzle"), Ok)
    }

    /// The run, which fails if the engine asked for cannot count the puzzle.
    fn make_run(&self) -> Result<Run> {
        let method: Option<Engine> = self.method.as_deref().map(str::parse).transpose()?;
        let run = match self.puzzle()? {
            Puzzle::Nine(grid) => {
                let problem = CountOne::with(grid, method, self.solver);
                let engine = problem.engine().name();
                Run::new(problem).detail("method", engine)
            }
            Puzzle::Sized(_) if method == Some(Engine::Join) => {
                bail!("bands are joined in 9 × 9 puzzles only")
            }
            Puzzle::Sized(grid) => {
                Run::new(CountSized::new(grid)).detail("method", Engine::Enumeration.name())
            }
        };
        Ok(run.title(format!("the sudoku {}", self.puzzle)))
    }
}

/// Reads `auto` or the name of a method.
pub fn methods() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let auto = PossibleValue::new("auto").help("The cheaper one");
    let name = |engine: Engine| PossibleValue::new(engine.name()).help(description(engine));
    choices(auto, Engine::ALL.map(name))
}

fn description(engine: Engine) -> &'static str {
    match engine {
        Engine::Enumeration => "Every solution is found",
        Engine::Join => "Bands are joined",
    }
}

impl Counting for Sudoku {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        Ok(self.make_run()?)
    }

    fn name(&self) -> &'static str {
        "sudoku"
    }

    /// Joined bands first, which share nothing with the search.
    fn methods(&self) -> Vec<Box<dyn Counting>> {
        match self.puzzle() {
            Ok(Puzzle::Nine(_)) => {
                [Engine::Join, Engine::Enumeration].map(|engine| self.with_method(engine)).into()
            }
            _ => Vec::new(),
        }
    }

    fn with_method_of(&self, identity: &str) -> Option<Box<dyn Counting>> {
        let own_grid = value(identity, "grid").filter(|_| self.method.is_none())?;
        let is_own = own_grid == self.puzzle && tell(identity).is_some();
        let engine = if is_joined(identity) { Engine::Join } else { Engine::Enumeration };
        is_own.then(|| self.with_method(engine))
    }
}

/// Whether the count with this identity joins bands: `CountOne` puts the word `join` into it.
fn is_joined(identity: &str) -> bool {
    identity.split(' ').any(|word| word == "join")
}

/// Tells the identity of a sudoku: `the sudoku 53..7…, bands joined`.
pub fn tell(identity: &str) -> Option<Told> {
    let grid = value(identity, "grid").filter(|_| tallyboard_sudoku::is_identity(identity))?;
    let how = if is_joined(identity) { ", bands joined" } else { "" };
    Some(Told { title: format!("the sudoku {grid}{how}"), noun: "solution" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sudokus_are_told_by_their_grid() {
        let told = |identity| tell(identity).map(|told| told.title);
        let joined = told("sudoku grid=53..7 join layout=1");
        assert_eq!(joined.as_deref(), Some("the sudoku 53..7, bands joined"));
        let found = told("sudoku grid=53..7 algorithm=1 layout=1");
        assert_eq!(found.as_deref(), Some("the sudoku 53..7"));
        assert_eq!(told("labels grid=7 algorithm=1 layout=1"), None);
    }
}
