//! Examples at the end of help pages.

use clap::Command;

/// Upper bound on the examples of one command.
const MAX_EXAMPLES: usize = 3;

/// Adds examples to the help of the command at `path`, and of the commands below it. Each gets the examples that call it.
pub fn with_examples(command: Command, path: &[String], examples: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().into()).collect();
    let command = names.into_iter().fold(command, |command, name| {
        let path = [path, std::slice::from_ref(&name)].concat();
        command.mut_subcommand(name, |sub| with_examples(sub, &path, examples))
    });
    match &lines(examples, path)[..] {
        [] => command,
        lines => command.after_help(shown(lines)),
    }
}

/// The lines of `examples` that call the command at `path`, at most [`MAX_EXAMPLES`].
pub fn lines<'a>(examples: &'a str, path: &[String]) -> Vec<&'a str> {
    let calls = |line: &&str| {
        // The first word is the program.
        let words = line.split_whitespace().skip(1);
        path.iter().zip(words).all(|(name, word)| name == word)
    };
    examples.lines().filter(calls).take(MAX_EXAMPLES).collect()
}

/// `lines` as a section of a help page.
pub fn shown(lines: &[&str]) -> String {
    lines.iter().fold("Examples:".to_owned(), |text, line| text + "\n  " + line)
}
