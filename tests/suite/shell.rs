//! Completions and manual pages know every command.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::common::runs::{PROGRAM, fail, succeed};

const COMMANDS: [&str; 4] = ["queens", "sudoku", "scale", "cluster"];

#[test]
fn every_shell_has_its_completions() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeed(folder.path(), &format!("completions {shell}"));
        for command in COMMANDS.into_iter().chain(["--threads", "generate"]) {
            let name = command.trim_start_matches('-');
            assert!(script.contains(name), "{shell}: {command}");
        }
    }
    let message = fail(folder.path(), "completions csh", 2);
    assert!(message.contains("bash"), "{message}");
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
    let folder = TempDir::new().unwrap();
    succeed(folder.path(), "man pages");
    let page = |name: &str| fs::read_to_string(folder.path().join("pages").join(name)).unwrap();
    let first = page("tallyboard.1");
    for command in COMMANDS {
        assert!(first.contains(&format!("tallyboard\\-{command}(1)")), "{command}");
        assert!(page(&format!("tallyboard-{command}.1")).starts_with(".ie"), "{command}");
    }
    let count = page("tallyboard-queens-count.1");
    assert!(count.contains(".SH OPTIONS") && count.contains("\\-\\-journal"), "{count}");
    fs::write(folder.path().join("file"), "").unwrap();
    let message = fail(folder.path(), "man file", 1);
    assert!(message.contains("cannot write manual pages into file"), "{message}");
}
