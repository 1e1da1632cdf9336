#!/usr/bin/env bash
# What: sudoku-core says hasUniqueSolution: true beside hasSolution: false, and solved: true for a puzzle with ten solutions.
# Version: sudoku-core 3.0.3 (npm).
# Seen: 2026-11-27.
# Surprises: who filters by one of the three fields; and its documentation has 'frequency' where the field is called freq.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --prefix . sudoku-core@3.0.3 >&2 || exit 77
cat >fields.mjs <<'JS'
import { analyze, solve } from 'sudoku-core'
const line = '7......1..95..38.48....2.53.....1.......6..4..497..6.........8.2....7....7..4...2'
const cells = (text) => [...text].map((c) => (c === '.' ? null : Number(c)))
const valid = analyze(cells(line))
const clash = analyze(cells('77' + line.slice(2)))
// Without its first and last digit the puzzle has ten solutions.
const ten = solve(cells('.' + line.slice(1, 80) + '.'))
const names = Object.keys(valid.usedStrategies[0]).join(' ')
const told = (a) => [a.hasSolution, a.hasUniqueSolution].join(' ')
console.log('sudoku-core 3.0.3: has a solution, has one: valid', told(valid), '- 7 twice in a row', told(clash))
console.log('ten solutions: solved', ten.solved, told(ten.analysis), '- a strategy has', names)
const same = told(valid) === 'true true' && told(clash) === 'false true' && ten.solved && told(ten.analysis) === 'true false'
process.exit(same && names === 'title freq' ? 0 : 1)
JS
node fields.mjs
