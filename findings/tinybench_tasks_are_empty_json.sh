#!/usr/bin/env bash
# What: JSON.stringify of tinybench's tasks is [{}]: their results are getters. They are in milliseconds, its table in nanoseconds.
# Version: tinybench 6.2.3 (npm).
# Seen: 2026-11-27.
# Surprises: who stores bench.tasks as JSON, for which no error comes; and who compares the stored means with the printed table.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --prefix . tinybench@6.2.3 >&2 || exit 77
cat >bench.mjs <<'JS'
import { Bench } from 'tinybench'
const bench = new Bench({ time: 50 })
bench.add('sum', () => {
  let sum = 0
  for (let i = 0; i < 1e5; i++) sum += i
  return sum
})
await bench.run()
const stored = JSON.stringify(bench.tasks)
const mean = bench.tasks[0].result.latency.mean
const printed = parseFloat(bench.table()[0]['Latency avg (ns)'])
console.log('tinybench 6.2.3: stored', stored, '- mean', mean, '- in the table', printed)
process.exit(stored === '[{}]' && Math.abs(printed / (mean * 1e6) - 1) < 0.01 ? 0 : 1)
JS
node bench.mjs
