"""Solves a CSV of sudokus with the columns `quizzes` and, if there are answers, `solutions`."""

import sys

import numpy as np

import tallyboard as tb


def column(rows: list[list[str]], name: str) -> list[str]:
    at = rows[0].index(name)
    return [row[at] for row in rows[1:]]


def main(path: str) -> None:
    with open(path) as file:
        rows = [line.rstrip("\n").split(",") for line in file]
    solved = tb.solve(column(rows, "quizzes"))
    print(f"{len(solved.counts)} puzzles, {(solved.counts == 1).sum()} with one solution")
    if "solutions" in rows[0]:
        stated = np.array([[int(digit) for digit in text] for text in column(rows, "solutions")])
        print(f"{(solved.solutions == stated).all(axis=1).sum()} as the file says")


if __name__ == "__main__":
    main(sys.argv[1])
