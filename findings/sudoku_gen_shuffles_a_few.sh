#!/usr/bin/env bash
# What: the npm package sudoku-gen does not generate: each of its puzzles is one of some ten a difficulty, turned and relabelled.
# Version: sudoku-gen 1.0.2 (npm).
# Seen: 2026-11-27.
# Surprises: who trains or measures on 'thousands of puzzles' of it: all strings differ, and there are at most ten classes.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --prefix . sudoku-gen@1.0.2 >&2 || exit 77
cat >classes.mjs <<'JS'
import { getSudoku } from 'sudoku-gen'
// What no relabelling of digits, turning or shuffling of lines changes: how often digits, rows and columns are given.
const counts = (keys) => Object.values(keys.reduce((seen, key) => ({ ...seen, [key]: (seen[key] ?? 0) + 1 }), {})).sort().join('')
const invariant = (puzzle) => {
  const given = [...puzzle].flatMap((c, i) => (c === '-' ? [] : [[c, Math.floor(i / 9), i % 9]]))
  const [digits, rows, columns] = [0, 1, 2].map((part) => counts(given.map((cell) => cell[part])))
  return [digits, ...[rows, columns].sort()].join(' ')
}
const puzzles = Array.from({ length: 2000 }, () => getSudoku('expert').puzzle)
const strings = new Set(puzzles).size
const classes = new Set(puzzles.map(invariant)).size
console.log('sudoku-gen 1.0.2: of 2000 expert puzzles', strings, 'strings,', classes, 'kinds')
process.exit(strings > 1000 && classes <= 10 ? 0 : 1)
JS
node classes.mjs
