"""Solves a CSV of sudokus with the columns `quizzes` and, if there are answers, `solutions`, batch by batch."""

import csv
import sys
from collections.abc import Iterator
from itertools import islice

import tallyboard as tb

BATCH = 100_000


def batches(rows: Iterator[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


def main(path: str) -> None:
    puzzles = unique = right = 0
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        has_answers = "solutions" in (reader.fieldnames or [])
        for batch in batches(reader):
            solved = tb.solve([row["quizzes"] for row in batch])
            puzzles += len(batch)
            unique += int((solved.counts == 1).sum())
            if has_answers:
                right += sum(row["solutions"] == found for row, found in zip(batch, solved.solutions))
    print(f"{puzzles} puzzles, {unique} with one solution")
    if has_answers:
        print(f"{right} as the file says")


if __name__ == "__main__":
    main(sys.argv[1])
