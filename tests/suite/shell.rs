//! Completions and manual pages know every command.

use crate::common::runs::{Folder, PROGRAM};
use std::process::Command;

const COMMANDS: [&str; 4] = ["queens", "sudoku", "scale", "cluster"];

#[test]
fn every_shell_has_its_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.succeed(&format!("completions {shell}"));
        for command in COMMANDS.into_iter().chain(["--threads", "generate"]) {
            let name = command.trim_start_matches('-');
            assert!(script.contains(name), "{shell}: {command}");
        }
    }
    folder.fails("completions csh", 2, "bash");
}

#[test]
fn bash_completes_a_command() {
    let script = format!(
        "source <({PROGRAM} completions bash); COMP_WORDS=(tallyboard sudoku gen); COMP_CWORD=2; \
         _tallyboard tallyboard gen sudoku; echo ${{COMPREPLY[@]}}"
    );
    let Ok(output) = Command::new("bash").args(["-c", &script]).output() else {
        eprintln!("skipped: there is no bash to try its completions in");
        return;
    };
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "generate\n");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    folder.succeed("man pages");
    let page = |name: &str| folder.read(format!("pages/{name}"));
    let first = page("tallyboard.1");
    for command in COMMANDS {
        assert!(first.contains(&format!("tallyboard\\-{command}(1)")), "{command}");
        assert!(page(&format!("tallyboard-{command}.1")).starts_with(".ie"), "{command}");
    }
    let count = page("tallyboard-queens-count.1");
    assert!(count.contains(".SH OPTIONS") && count.contains("\\-\\-journal"), "{count}");
    folder.write("file", "");
    folder.fails("man file", 1, "cannot write manual pages into file");
}
