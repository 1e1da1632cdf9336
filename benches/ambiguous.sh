#!/usr/bin/env bash
# Makes files of puzzles with about 10^2, 10^3 … 10^6 solutions each: minimal puzzles without some of their clues.
#
#     benches/ambiguous.sh PROGRAM FOLDER     # FOLDER/solutions_1e2.txt … FOLDER/solutions_1e6.txt
#
# The files depend on nothing but the generator: the random numbers that choose the clues are made here.
set -euo pipefail
program=$1
folder=$2

"$program" -q sudoku generate 150 --minimal --seed 5 | awk '
    function random(below) { seed = seed * 16807 % 2147483647; return seed % below }
    BEGIN { seed = 5 }
    {
        line = $0
        for (removed = 0; removed < 7; removed++) {
            do cell = 1 + random(81); while (substr(line, cell, 1) == ".")
            line = substr(line, 1, cell - 1) "." substr(line, cell + 1)
            print line
        }
    }' | "$program" -q sudoku count - | awk -F: -v folder="$folder" '
    {
        for (size = 2; size <= 6; size++)
            if ($2 >= 10 ^ size / 2 && $2 < 10 ^ size * 2 && made[size] < 50) {
                made[size]++
                print $1 >(folder "/solutions_1e" size ".txt")
            }
    }
    END {
        for (size = 2; size <= 6; size++)
            if (made[size] < 20) { print "found " made[size] + 0 " puzzles of 10^" size " solutions, expected 20" >"/dev/stderr"; exit 1 }
    }'
