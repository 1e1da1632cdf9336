"""The examples, run as a user runs them."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

import tallyboard as tb

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, *arguments: object) -> str:
    command = [sys.executable, EXAMPLES / name, *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture
def table(tmp_path: Path) -> Path:
    puzzles = tb.to_text(tb.generate(300, clues=28, seed=5), blank="0")
    answers = tb.solve(puzzles).solutions
    answers[7] = answers[8]
    path = tmp_path / "sudoku.csv"
    path.write_text("quizzes,solutions\n" + "".join(f"{row},{answer}\n" for row, answer in zip(puzzles, answers)))
    return path


def test_kaggle(table: Path) -> None:
    assert run("kaggle.py", table).splitlines() == ["300 puzzles, 300 with one solution", "299 as the file says"]


def test_nine_million(table: Path, tmp_path: Path) -> None:
    pytest.importorskip("polars", reason="polars is not installed")
    table.write_text(table.read_text() + "short,\n")
    run("nine_million.py", table, tmp_path / "rated.csv")
    rows = list(csv.DictReader(open(tmp_path / "rated.csv")))
    puzzles = [row["quizzes"] for row in rows[:-1]]
    assert len(rows) == 301 and rows[-1]["rating"] == rows[-1]["solution"] == ""
    assert [float(row["rating"]) for row in rows[:-1]] == tb.rate(puzzles).tolist()
    assert [row["solution"] for row in rows[:-1]] == tb.solve(puzzles).solutions


def test_tables() -> None:
    for library in ("pandas", "polars", "pyarrow", "duckdb"):
        pytest.importorskip(library, reason=f"{library} is not installed")
    lines = run("tables.py").splitlines()
    assert [line.partition(":")[0] for line in lines] == ["pandas", "polars", "pyarrow", "DuckDB"]
    guessed = int((tb.rate(tb.generate(1000, seed=1, clues=27)) >= 1).sum())
    assert lines[1] == f"polars: {guessed} take a guess" and lines[3].endswith("1000 solved")
