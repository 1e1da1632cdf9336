// The puzzles of a clone of Interactive Sudoku Solver, as rules of `tallyboard variant`, and that program's time for them.
//
//     node benches/iss.mjs CLONE rules FOLDER     # FOLDER/N.rules, .iss and .solution; on standard output what kept the others out
//     node benches/iss.mjs CLONE solve FOLDER/N…  # how many solutions N.iss has, up to two, and the first of them
//     node benches/iss.mjs CLONE lines FOLDER/N…  # the same for each line of N.lines by N.rules, as rivals.sh makes them
//
// The last line on standard error is the CPU time without start: of the second turn, where the first took less than a second.
//
// Nothing of that program is copied here: its own parser reads its own files. A puzzle goes into FOLDER only if each of its
// constraints has a line that means the same; what a constraint of that program means, its class says (js/sudoku_constraint.js).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [clone, job, folder, ...wanted] = process.argv.slice(2);
const from = path => import(resolve(clone, path));
const { allPuzzles, buildSolver, loadPuzzle } = await from('tools/lib/puzzle_runner.js');
const { CellGeometry } = await from('js/cell_geometry.js');
const { SudokuParser } = await from('js/sudoku_parser.js');
const { DISPLAYED_EXAMPLES, PUZZLE_INDEX } = await from('data/example_puzzles.js');

/** Why a puzzle has no rules of ours. */
class Unread extends Error {}
const unread = why => { throw new Unread(why); };

const name = cell => {
  if (cell === 'LOOP') unread('lines that are closed');
  const [row, column] = [1, 3].map(i => parseInt(cell[i], 17));
  return /^R.C.$/i.test(cell) ? `r${row}c${column}` : unread('cells outside the grid');
};
const names = cells => cells.map(name).join(' ');

/** Rules that take the cells of a constraint as they are, behind the text of the constraint's own value. */
const OF_CELLS = {
  AllDifferent: c => 'different',
  Between: c => 'between',
  CountingCircles: c => 'circles',
  DoubleArrow: c => 'double-arrow',
  Entropic: c => 'entropic',
  Lockout: c => `lockout ${c.minDiff}`,
  Modular: c => `modular ${c.mod}`,
  Palindrome: c => 'palindrome',
  RegionSumLine: c => 'region-sums',
  Renban: c => 'renban',
  SumLine: c => `sum-line ${c.sum}`,
  Thermo: c => 'thermometer',
  Whisper: c => `whispers ${c.difference}`,
  Zipper: c => 'zipper',
  FullRank: c => `full-rank ${c.value}`,
  LittleKiller: c => `little-killer ${c.value}`,
  NumberedRoom: c => `numbered-room ${c.value}`,
  Sandwich: c => `sandwich ${c.value}`,
  Skyscraper: c => `skyscraper ${c.value}`,
  XSum: c => `x-sum ${c.value}`,
  Indexing: c => (c.indexType === 'C' ? 'column-indexer' : 'row-indexer'),
  Cage: c => (c.sum ? `cage ${c.sum}` : 'cage'),
};
/** Rules for each pair of neighbours among the cells. */
const OF_NEIGHBOURS = { WhiteDot: 'kropki white', BlackDot: 'kropki black', X: 'x', V: 'v', GreaterThan: 'greater' };
/** Rules of the whole grid. */
const OF_THE_GRID = {
  AntiConsecutive: 'non-consecutive', AntiKing: 'anti-king', AntiKnight: 'anti-knight', DisjointSets: 'disjoint-groups',
  StrictKropki: 'all-dots-given', StrictXV: 'all-xv-given', Windoku: 'windoku',
};
/** What says nothing of a grid whose rows, columns and regions each have all values. */
const NOTHING = ['Shape', 'NoBoxes', 'Jigsaw', 'RegionSameValues', 'SearchPriority'];

/** A sum with a factor for each cell, if it is one of a cell or of a number of several digits: an arrow. */
function sum(c) {
  if (!c.coeffs || c.coeffs.every(factor => factor === 1)) return `sum ${c.sum} ${names(c.cells)}`;
  const of = sign =>
    c.cells.map((cell, i) => [sign * c.coeffs[i], cell]).filter(([factor]) => factor > 0).sort((a, b) => b[0] - a[0]);
  const [line, circle] = of(1).every(([factor]) => factor === 1) ? [of(1), of(-1)] : [of(-1), of(1)];
  const place = circle.every(([factor], i) => factor === 10 ** (circle.length - 1 - i));
  if (c.sum || !line.length || !circle.length || !place || line.some(([factor]) => factor !== 1)) unread('Sum with factors');
  return `arrow ${names(circle.map(pair => pair[1]))} = ${names(line.map(pair => pair[1]))}`;
}

/** The regions: a picture if they are a partition without boxes, a line each otherwise. */
function regions(map, geometry) {
  const size = geometry.numRows;
  const pieces = (map.get('Jigsaw') ?? []).map(c => c.cells);
  if (pieces.some(cells => cells.length !== size)) unread('regions of another size');
  const boxes = CellGeometry.boxDimsForSize(size, size, size)[0];
  if (boxes && !map.has('NoBoxes')) return pieces.map(cells => `house ${names(cells)}`);
  if (!pieces.length) return ['regions none'];
  if (pieces.length < size) return ['regions none', ...pieces.map(cells => `house ${names(cells)}`)];
  const picture = Array.from({ length: size }, () => Array(size));
  for (const [i, cells] of pieces.entries()) {
    for (const cell of cells) picture[parseInt(cell[1], 17) - 1][parseInt(cell[3], 17) - 1] = String.fromCharCode(65 + i);
  }
  return ['regions', ...picture.map(row => row.join(''))];
}

/** The lines of one constraint. */
function lines(c, geometry) {
  const value = number => (+number).toString(36).toUpperCase();
  if (c.type === 'Given') return [`candidates ${name(c.cell)} ${c.values.map(value).join(' ')}`];
  if (c.type in OF_CELLS) return [`${OF_CELLS[c.type](c)} ${names(c.getCells(geometry))}`];
  if (c.type in OF_THE_GRID) return [OF_THE_GRID[c.type]];
  if (NOTHING.includes(c.type)) return [];
  if (c.type in OF_NEIGHBOURS) {
    const [text, cell] = [OF_NEIGHBOURS[c.type], i => geometry.makeCellIdFromIndex(i)];
    return names(c.cells) && c.adjacentPairs(geometry).map(pair => `${text} ${names(pair.map(cell))}`);
  }
  if (c.type === 'Arrow') return [`arrow ${name(c.cells[0])} = ${names(c.cells.slice(1))}`];
  if (c.type === 'Diagonal') return [`diagonal ${c.direction > 0 ? 'rising' : 'falling'}`];
  if (c.type === 'Quad') return [`quadruple ${c.values.join('')} ${names(c.getCells(geometry))}`];
  if (c.type === 'Sum') return [sum(c)];
  if (c.type === 'PillArrow') {
    const pill = c.cells.slice(0, c.pillSize).sort();
    return [`arrow ${names(pill)} = ${names(c.cells.slice(c.pillSize))}`];
  }
  if (c.type === 'RegionSize' && c.size === geometry.numValues) return [];
  if (c.type === 'SameValues' && +c.numSets === c.cells.length) return [`same ${names(c.cells)}`];
  if (c.type === 'And') return c.constraints.flatMap(inner => lines(inner, geometry));
  return unread(c.type === 'SameValues' ? 'SameValues of sets' : c.type);
}

/** The rules of a puzzle in the text of tallyboard; all that keeps it out otherwise. */
function rules(input) {
  const constraint = SudokuParser.parseText(input);
  const [map, geometry, why, text] = [constraint.toMap(), constraint.getGeometry(), new Set(), []];
  const attempt = work => {
    try {
      text.push(...work());
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      why.add(error.message);
    }
  };
  const size = geometry.numRows;
  if (geometry.numCols !== size) why.add('not a square');
  else if (geometry.valueOffset) why.add('values from 0');
  else if (geometry.numValues !== size) why.add('more values than a row has cells');
  else attempt(() => regions(map, geometry));
  for (const all of map.values()) for (const c of all) attempt(() => lines(c, geometry));
  return why.size ? { why } : { text: [`size ${size}`, ...text, ''].join('\n') };
}

/** The constraints of that program for rules that rivals.sh makes. */
function constraints(text) {
  const all = text.split('\n');
  const cell = word => `R${word[1]}C${word[3]}`;
  return all.map((line, i) => {
    const [rule, sum, ...cells] = line.split(' ');
    if (rule === 'cage') return `.Cage~${sum}~${cells.map(cell).join('~')}`;
    if (rule === 'regions') return `.NoBoxes.Jigsaw~${all.slice(i + 1, i + 10).join('')}`;
    return { diagonals: '.Diagonal~1.Diagonal~-1', 'anti-knight': '.AntiKnight', windoku: '.Windoku' }[rule] ?? '';
  }).join('');
}

const puzzles = allPuzzles();
const known = new Set(puzzles.map(puzzle => puzzle.name));
puzzles.push(...DISPLAYED_EXAMPLES.map(p => PUZZLE_INDEX.get(p.name ?? p)).filter(p => !known.has(p.name)));

if (job === 'rules') {
  mkdirSync(folder, { recursive: true });
  const [reasons, alone] = [new Map(), new Map()];
  const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
  let read = 0;
  for (const [n, puzzle] of puzzles.entries()) {
    const input = puzzle.input.startsWith('/') ? (await loadPuzzle({ puzzle: puzzle.name })).input : puzzle.input;
    const { text, why } = rules(input);
    if (text) {
      read += 1;
      writeFileSync(`${folder}/${n}.rules`, text);
      writeFileSync(`${folder}/${n}.iss`, input);
      writeFileSync(`${folder}/${n}.solution`, PUZZLE_INDEX.get(puzzle.name)?.solution ?? puzzle.solution ?? '');
    } else {
      why.forEach(reason => add(reasons, reason));
      if (why.size === 1) add(alone, [...why][0]);
    }
  }
  console.log(`${puzzles.length} puzzles, ${read} with rules that tallyboard has; the others, by what is missing, and alone missing:`);
  const sorted = [...reasons].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  for (const [reason, count] of sorted) console.log(`${reason}: ${count}, ${alone.get(reason) ?? 0}`);
} else {
  const solve = input => {
    const [found, { internal, geometry }] = [[], buildSolver(input)];
    const value = bit => (32 - Math.clz32(bit)).toString(36).toUpperCase();
    internal.run({ maxSolutions: 2 }, grid => { found.push(Array.from(grid.slice(0, geometry.numGridCells), value).join('')); });
    return `${found.length}:${found[0]}`;
  };
  const read = stem => {
    if (job === 'solve') return [readFileSync(`${stem}.iss`, 'utf8')];
    const cell = (digit, i) => (digit > '0' ? `.~R${Math.floor(i / 9) + 1}C${i % 9 + 1}_${digit}` : '');
    const given = line => [...line].map(cell).join('');
    const text = constraints(readFileSync(`${stem}.rules`, 'utf8'));
    return readFileSync(`${stem}.lines`, 'utf8').trim().split('\n').map(line => text + given(line));
  };
  const inputs = [folder, ...wanted].flatMap(read);
  for (let turn = 0, used = 0; turn < 2 && used < 1; turn += 1) {
    const before = process.cpuUsage();
    const answers = inputs.map(solve);
    const { user, system } = process.cpuUsage(before);
    used = (user + system) / 1e6;
    if (turn || used >= 1) process.stdout.write(`${answers.join('\n')}\n`);
    if (turn || used >= 1) console.error(used.toFixed(6));
  }
}
