// The puzzles of a clone of Interactive Sudoku Solver, as rules of `tallyboard variant`, and that program's time for them.
//
//     node benches/iss.mjs CLONE rules FOLDER     # FOLDER/N.rules, .iss and .solution; on standard output what kept the others out
//     node benches/iss.mjs CLONE solve FOLDER/N…  # how many solutions N.iss has, up to two, and the first of them
//     node benches/iss.mjs CLONE lines FOLDER/N…  # the same for each line of N.lines by N.rules, as rivals.sh makes them
//     node benches/iss.mjs CLONE tally FOLDER/N…  # for each such line the table of `tallyboard tally --csv`, from all solutions
//     node benches/iss.mjs CLONE possible FOLDER/N…  # its own table of candidates, whose numbers end at 255
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
const { LookupTables } = await from('js/solver/lookup_tables.js');
const { NFASerializer } = await from('js/nfa_builder.js');
const { DISPLAYED_EXAMPLES, PUZZLE_INDEX } = await from('data/example_puzzles.js');

/** Why a puzzle has no rules of ours. */
class Unread extends Error {}
const unread = why => { throw new Unread(why); };

const name = cell => {
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
  Lunchbox: c => `lunchbox ${c.sum}`,
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
  AntiConsecutive: 'non-consecutive', AntiTaxicab: 'anti-taxicab', GlobalEntropy: 'global-entropy', GlobalMod: 'global-modular',
  AntiKing: 'anti-king', AntiKnight: 'anti-knight', DisjointSets: 'disjoint-groups',
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

/** The character of a value. */
const char = value => (+value).toString(36).toUpperCase();
/** Cells after each other, and which of their values are allowed: the start, the states after the value of the cell with a number,
 * and whether the line may end in a state. Rules without a name of their own, and those of which one of several holds, are such. */
const machine = (cells, start, step, ends = () => true) => ({ cells, start, step: (i, state, v) => step(i, state, v) ?? [], ends });
const sums = (cells, sum, differ) => machine(cells, [0, 0], (_, [all, seen], v) =>
  (all + v <= sum && !(differ && seen >> v & 1) ? [[all + v, differ ? seen | 1 << v : 0]] : []), ([all]) => all === sum);
const lunchbox = (cells, sum, values) => machine(cells, null, (_, state, v) =>
  (state ? [state] : values.flatMap(low => values.filter(high => high > low).map(high => [low, high, 0, 0, 0])))
    .map(([low, high, crusts, all, seen]) => {
      const is_crust = v === low || v === high;
      return [low, high, crusts + is_crust, all + (crusts === 1 && !is_crust ? v : 0), seen | 1 << v, seen >> v & 1];
    })
    .filter(([low, high, , all, , twice]) => v >= low && v <= high && all <= sum && !twice).map(state => state.slice(0, 5)),
  ([, , crusts, all]) => crusts === 2 && all === sum);
const MACHINES = {
  Given: c => machine([c.cell], 0, (_, state, v) => (c.values.includes(v) ? [0] : [])),
  Cage: c => sums(c.cells, +c.sum, true),
  Sum: c => (c.coeffs?.some(factor => factor !== 1) ? unread('Sum with factors') : sums(c.cells, +c.sum, false)),
  Lunchbox: (c, geometry, values) => lunchbox(c.cells, +c.sum, values),
  Arrow: c => machine(c.cells, 0, (i, rest, v) => (i === 0 ? [v] : rest >= v ? [rest - v] : []), rest => rest === 0),
  XSum: (c, geometry) => machine(c.getCells(geometry), [0, +c.value], (i, [left, rest], v) => {
    if (i && !left) return [[0, rest]];
    return rest >= v ? [[(i ? left : v) - 1, rest - v]] : [];
  }, ([left, rest]) => !left && !rest),
  NumberedRoom: (c, geometry) => machine(c.getCells(geometry), 0, (i, at, v) =>
    ((i ? at : v) === i + 1 ? (v === +c.value ? [-1] : []) : [i ? at : v]), at => at === -1),
  Skyscraper: (c, geometry) => machine(c.getCells(geometry), [-1, 0], (_, [top, seen], v) => (v > top ? [[v, seen + 1]] : [[top, seen]]),
    ([, seen]) => seen === +c.value),
  HiddenSkyscraper: (c, geometry) => machine(c.getCells(geometry), -1, (_, top, v) =>
    (top === 'seen' || v > top ? [top === 'seen' ? top : v] : v === +c.value ? ['seen'] : []), top => top === 'seen'),
  LookAndSay: c => {
    const wanted = c.clue.match(/../g).map(([count, value]) => [+count, +value]);
    return machine(c.cells, wanted.map(([count]) => count), (_, left, v) => {
      const after = left.map((count, i) => count - (wanted[i][1] === v));
      return after.some(count => count < 0) ? [] : [after];
    }, left => left.every(count => count === 0));
  },
  RellikCage: c => machine(c.cells, [1, 0], (_, [sums, seen], v) => {
    const after = (sums | sums << v) & ((2 << c.sum) - 1);
    return seen >> v & 1 || after >> c.sum & 1 ? [] : [[after, seen | 1 << v]];
  }),
  EqualityCage: (c, geometry, values) => machine(c.cells, [0, 0, 0], (_, [odd, low, seen], v) => {
    const side = Math.sign(v - (values[0] + values[values.length - 1]) / 2);
    return side && !(seen >> v & 1) ? [[odd + (v % 2 ? 1 : -1), low + side, seen | 1 << v]] : [];
  }, ([odd, low]) => !odd && !low),
  CountDistinct: c => machine(c.cells, [0, 0], (i, [count, seen], v) => [i ? [count, seen | 1 << v] : [v, 0]], ([count, seen]) =>
    seen.toString(2).replaceAll('0', '').length === count),
  ValueIndexing: c => machine(c.cells, 0, (i, state, v) => {
    if (i < 2) return [i ? [state, v + 1] : v];
    return i === state[1] ? (v === state[0] ? ['met'] : []) : [state];
  }, state => state === 'met'),
  // A closed line of parts with a sum each: the rests by the sum at which a part may begin are known when they were passed.
  SumLine: c => machine(c.cells.slice(0, -1), [(1 << c.sum) - 1, 0], (_, [rests, all], v) => {
    let left = rests;
    for (let passed = 1; passed < v; passed += 1) left &= ~(1 << (all + passed) % c.sum);
    return v <= c.sum && left ? [[left, (all + v) % c.sum]] : [];
  }, ([rests, all]) => all === 0 && rests),
  NFA: (c, geometry, values) => {
    if (c.segments.length > 1) unread('NFA of several lines');
    const nfa = NFASerializer.deserialize(c.encodedNFA);
    const next = (state, v) => nfa.getStateTransitions(state)[v - values[0]] ?? [];
    return machine(c.cells, null, (_, state, v) => (state === null ? [...nfa.getStartIds()] : [state]).flatMap(s => next(s, v)), state =>
      nfa.isAccepting(state));
  },
};
/** Machines of which one accepts, or which all accept, as one that reads the cells of all. */
function together(machines, isOr) {
  const cells = machines.flatMap(one => one.cells);
  const firsts = machines.map((_, n) => machines.slice(0, n).reduce((sum, one) => sum + one.cells.length, 0));
  const after = (n, i, state, v) => {
    const [one, at] = [machines[n], i - firsts[n]];
    if (at < 0 || at >= one.cells.length) return [state];
    return one.step(at, state, v).filter(next => at + 1 < one.cells.length || one.ends(next));
  };
  if (isOr) {
    return machine(cells, 'all', (i, state, v) => (state === 'all' ? machines.map((one, n) => [n, one.start]) : [state])
      .flatMap(([n, inner]) => after(n, i, inner, v).map(next => [n, next])));
  }
  return machine(cells, machines[0].start, (i, state, v) => {
    const n = firsts.findLastIndex(first => first <= i);
    return after(n, i, i === firsts[n] ? machines[n].start : state, v);
  });
}
function machineOf(c, geometry, values) {
  if (c.type === 'Or' || c.type === 'And') {
    return together(c.constraints.map(inner => machineOf(inner, geometry, values)), c.type === 'Or');
  }
  if (!(c.type in MACHINES)) unread(`${c.type} in Or`);
  return MACHINES[c.type](c, geometry, values);
}
/** The line of a machine: a state for each place and state of it from which the end is reached. */
function automaton({ cells, start, step, ends }, values) {
  const layers = [new Map([[JSON.stringify(start), { state: start, to: new Map(), alive: false }]])];
  cells.forEach((_, i) => {
    const next = new Map();
    for (const node of layers[i].values()) {
      for (const v of values) {
        for (const state of step(i, node.state, v)) {
          const key = JSON.stringify(state);
          if (i + 1 === cells.length && !ends(state)) continue;
          if (!next.has(key)) next.set(key, { state, to: new Map(), alive: i + 1 === cells.length });
          node.to.set(key, (node.to.get(key) ?? '') + char(v));
        }
      }
      if (next.size > 10_000) unread('automata of many states');
    }
    layers.push(next);
  });
  const [items, numbers] = [[], new Map()];
  const number = node => numbers.get(node) ?? numbers.set(node, numbers.size).get(node);
  for (let i = cells.length - 1; i >= 0; i -= 1) {
    for (const node of layers[i].values()) node.alive = [...node.to.keys()].some(key => layers[i + 1].get(key).alive);
  }
  const root = [...layers[0].values()][0];
  if (!root.alive) unread('automata without an end');
  number(root);
  cells.forEach((_, i) => {
    for (const node of layers[i].values()) {
      for (const [key, chars] of node.alive ? node.to : []) {
        const after = layers[i + 1].get(key);
        const text = chars.length === values.length ? '.' : `[${chars}]`;
        if (after.alive) items.push(`${number(node)}:${text}:${number(after)}`);
      }
    }
  });
  for (const node of layers[cells.length].values()) if (numbers.has(node)) items.push(`${number(node)}!`);
  if (numbers.size > 65_536) unread('automata of many states');
  return `automaton ${items.join(',')} ${names(cells)}`;
}

/** A relation of two cells as an expression. */
function pairs(key, values) {
  const table = LookupTables.get(values.length).forBinaryKey(key)[0];
  const of = i => values.filter((_, j) => table[1 << i] >> j & 1).map(char).join('');
  return values.map((v, i) => [char(v), of(i)]).filter(([, second]) => second).map(([v, second]) => `${v}[${second}]`).join('|');
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
  const values = Array.from({ length: geometry.numValues }, (_, i) => i + 1 + geometry.valueOffset);
  if (c.type === 'Given') return [`candidates ${name(c.cell)} ${c.values.map(char).join('')}`];
  if (c.type === 'Pair') {
    return c.cells.slice(1).map((cell, i) => `matches ${pairs(c.key, values)} ${names([c.cells[i], cell])}`);
  }
  if (c.type === 'PairX') {
    const each = c.cells.flatMap((cell, i) => c.cells.slice(0, i).map(before => [before, cell]));
    return each.map(pair => `matches ${pairs(c.key, values)} ${names(pair)}`);
  }
  if (c.type === 'Regex') return [`matches ${c.pattern.replaceAll(' ', '')} ${names(c.cells)}`];
  if (c.type === 'DutchFlatmates') {
    const columns = Array.from({ length: 9 }, (_, column) => Array.from({ length: 9 }, (_, row) => `R${row + 1}C${column + 1}`));
    return columns.map(cells => `matches .*(15|59).* ${names(cells)}`);
  }
  if (c.type === 'EqualSum') {
    return c.segments.flatMap((one, i) => c.segments.slice(0, i).map(other => automaton(machine([...one, ...other], 0, (at, rest, v) =>
      [rest + (at < one.length ? v : -v)], rest => rest === 0), values)));
  }
  const isClosed = c.cells?.at?.(-1) === 'LOOP';
  if (isClosed && c.type !== 'SumLine') unread('lines that are closed');
  if (c.type === 'Or' || isClosed || (c.type in MACHINES && !(c.type in OF_CELLS) && !['Arrow', 'Sum'].includes(c.type))) {
    return [automaton(machineOf(c, geometry, values), values)];
  }
  if (c.type === 'Cage' && new Set(c.cells).size < c.cells.length) {
    return [`sum ${c.sum} ${names(c.cells)}`, `different ${names([...new Set(c.cells)])}`];
  }
  if (c.type in OF_CELLS) return [`${OF_CELLS[c.type](c)} ${names(c.getCells(geometry))}`];
  if (c.type in OF_THE_GRID) return [OF_THE_GRID[c.type]];
  if (NOTHING.includes(c.type)) return [];
  if (c.type in OF_NEIGHBOURS) {
    const [text, cell] = [OF_NEIGHBOURS[c.type], i => geometry.makeCellIdFromIndex(i)];
    return names(c.cells) && c.adjacentPairs(geometry).map(pair => `${text} ${names(pair.map(cell))}`);
  }
  if (c.type === 'Arrow') return [`arrow ${name(c.cells[0])} = ${names(c.cells.slice(1))}`];
  if (c.type === 'Diagonal') return [`diagonal ${c.direction > 0 ? 'rising' : 'falling'}`];
  if (c.type === 'Quad') return [`quadruple ${c.values.map(char).join('')} ${names(c.getCells(geometry))}`];
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
  const first = geometry.valueOffset + 1;
  if (geometry.numCols !== size) why.add('not a square');
  else if (geometry.numValues !== size) why.add('more values than a row has cells');
  else attempt(() => regions(map, geometry));
  for (const all of map.values()) for (const c of all) attempt(() => lines(c, geometry));
  return why.size ? { why } : { text: [`size ${size}`, ...(first === 1 ? [] : [`values ${first}-${first + size - 1}`]), ...text, ''].join('\n') };
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
    const value = bit => char(32 - Math.clz32(bit) + geometry.valueOffset);
    internal.run({ maxSolutions: 2 }, grid => { found.push(Array.from(grid.slice(0, geometry.numGridCells), value).join('')); });
    return `${found.length}:${found[0]}`;
  };
  /** How many solutions have each value in each cell: rows of cell, value and number, as `tally --csv` has them. */
  const tally = input => {
    const { internal, geometry } = buildSolver(input);
    const cells = geometry.numGridCells;
    const uses = Array.from({ length: cells }, () => new Float64Array(geometry.numValues));
    internal.run({ maxSolutions: Infinity }, grid => {
      for (let cell = 0; cell < cells; cell += 1) uses[cell][31 - Math.clz32(grid[cell])] += 1;
    });
    const row = (cell, value) => {
      const [r, c] = [Math.floor(cell / geometry.numCols) + 1, cell % geometry.numCols + 1];
      return `r${r}c${c},${value + 1 + geometry.valueOffset},${uses[cell][value]}`;
    };
    return uses.flatMap((of, cell) => Array.from(of, (_, value) => row(cell, value))).join('\n');
  };
  const possible = input => {
    const found = [];
    buildSolver(input).internal.solveAllPossibilities(found, 255);
    return found.length;
  };
  const answer = { tally, possible }[job] ?? solve;
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
    const answers = inputs.map(answer);
    const { user, system } = process.cpuUsage(before);
    used = (user + system) / 1e6;
    if (turn || used >= 1) process.stdout.write(`${answers.join('\n')}\n`);
    if (turn || used >= 1) console.error(used.toFixed(6));
  }
}
