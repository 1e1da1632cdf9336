"""Draws how the number of solutions of n queens grows: `queens_growth.py PICTURE.svg`."""

import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

import tallyboard as tb

LARGEST = 16


def main(path: str) -> None:
    sizes = list(range(7, LARGEST + 1))
    counts = [tb.queens_count(n) for n in sizes]
    corner = [tb.queens_count(n, place=["a1"]) for n in sizes]
    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    axes.semilogy(sizes, counts, "o-", label="all solutions")
    axes.semilogy(sizes, corner, "s--", label="with a queen on a1")
    axes.set(xlabel="n", ylabel="solutions", xticks=sizes)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)


if __name__ == "__main__":
    main(sys.argv[1])
