#!/usr/bin/env python3
"""Makes terminal.svg, the first picture of README: runs its commands and draws what they print, but for times.

    cargo build --release && docs/pictures/terminal.py
    docs/pictures/terminal.py PROGRAM
"""

import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
PROGRAM = Path(sys.argv[1]) if sys.argv[1:] else REPOSITORY / "target/release/tallyboard"
COMMANDS = [
    "tallyboard queens count 18",
    "tallyboard sudoku solve puzzles.txt -o solved.txt",
    "tallyboard cover count pentominoes-6x10.txt --fundamental",
    "tallyboard cover list pentominoes-6x10.txt --limit 1",
]
LINE = 19
LEFT = 22
TOP = 58
WIDTH = 860


def outputs():
    """Each command with the lines that it prints, on standard output and standard error."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        puzzle = REPOSITORY / "puzzles/pentominoes-6x10.txt"
        (folder / puzzle.name).write_text(puzzle.read_text())
        generate = [PROGRAM, "-q", "sudoku", "generate", "100000", "--seed", "1", "-o", "puzzles.txt"]
        subprocess.run(generate, cwd=folder, check=True)
        for command in COMMANDS:
            words = [PROGRAM, *command.split()[1:]]
            run = subprocess.run(words, cwd=folder, check=True, text=True, capture_output=True)
            lines = (run.stdout + run.stderr).splitlines()
            # README has the times of one machine, in its table.
            yield command, [line for line in lines if not line.startswith("time ")]


def main():
    rows = []
    for command, lines in outputs():
        rows.append(("command", f"$ {command}"))
        rows.extend(("output", line) for line in lines)
    height = TOP + LINE * len(rows) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Four commands of tallyboard in a terminal, and their output</title>",
        "<style>",
        "text { font: 14px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; }",
        ".command { fill: #8fd3ff; } .output { fill: #e6e6e6; }",
        "</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#15202b"/>',
    ]
    for index, colour in enumerate(("#ff5f56", "#ffbd2e", "#27c93f")):
        parts.append(f'<circle cx="{24 + 22 * index}" cy="22" r="7" fill="{colour}"/>')
    for index, (kind, text) in enumerate(rows):
        y = TOP + LINE * index
        parts.append(f'<text class="{kind}" x="{LEFT}" y="{y}" xml:space="preserve">{escape(text)}</text>')
    parts.append("</svg>")
    (HERE / "terminal.svg").write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
