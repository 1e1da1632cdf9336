#!/usr/bin/env bash
# What: the npm package sudoku has digits 0 to 8 and null for a blank, and rates one puzzle differently from call to call.
# Version: sudoku 0.0.3 (npm).
# Seen: 2026-11-27.
# Surprises: who passes digits 1 to 9: there is no error, solvepuzzle returns null, and the puzzle looks impossible.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --prefix . sudoku@0.0.3 >&2 || exit 77
cat >zero.cjs <<'JS'
const { makepuzzle, ratepuzzle, solvepuzzle } = require('sudoku')
const puzzle = '7......1..95..38.48....2.53.....1.......6..4..497..6.........8.2....7....7..4...2'
const solution = '723854916195673824864912753682431579317569248549728631451296387236187495978345162'
const cells = (first) => [...puzzle].map((c) => (c === '.' ? null : c - 1 + first))
const fromZero = solvepuzzle(cells(0)).map((digit) => digit + 1).join('')
const fromOne = solvepuzzle(cells(1))
const made = Array.from({ length: 25 }, makepuzzle)
const digits = [...new Set(made.flat().filter((cell) => cell !== null))].sort().join('')
const ratings = (one) => new Set(Array.from({ length: 20 }, () => ratepuzzle(one, 4))).size
const most = Math.max(...made.map(ratings))
console.log('sudoku 0.0.3: digits', digits, '- given as 1 to 9:', fromOne, '- different ratings of a puzzle:', most)
process.exit(digits === '012345678' && fromZero === solution && fromOne === null && most > 1 ? 0 : 1)
JS
node zero.cjs
