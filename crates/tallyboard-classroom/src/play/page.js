"use strict";
// Every step belongs to a node of the search tree. The path from the root to that node gives the board, so any
// step can be shown directly; a step back takes no longer than a step forward.

const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=?@[]^_{|}~";
const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const counted = (number, noun) => grouped(number) + " " + (number === 1 ? noun.replace(/s\b/, "") : noun);
const escaped = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
const NONE = -1;

// ---- Reading the steps

function reader(text) {
  let at = 0;
  return {
    more: () => at < text.length,
    number(width) {
      let value = 0;
      for (let place = 0, unit = 1; place < width; place++, unit *= DIGITS.length)
        value += unit * DIGITS.indexOf(text[at++]);
      return value;
    },
  };
}

function lists(texts) {
  const width = texts.length > DIGITS.length ? 2 : 1;
  return texts.map(text => {
    const list = [], from = reader(text);
    while (from.more()) list.push(from.number(width));
    return list;
  });
}

// Steps are numbered from 1; step 0 is the beginning. Node 0 is the root.
function decode(play) {
  const [phraseWidth, cellWidth, markWidth] = play.widths;
  const extras = new Map(play.extras.map(extra => [extra.step, extra]));
  const steps = [{ kind: "", phrase: "", cell: NONE, mark: NONE, by: [], node: 0 }];
  const nodes = [{ parent: NONE, level: 0, cell: NONE, mark: NONE, struck: [], step: 0, closed: Infinity, fate: "", fateStep: Infinity, children: [] }];
  const from = reader(play.steps);
  let node = 0;
  while (from.more()) {
    const phrase = play.phrases[from.number(phraseWidth)];
    const cell = phrase.has[0] ? from.number(cellWidth) : NONE;
    const mark = phrase.has[1] ? from.number(markWidth) : NONE;
    const by = phrase.has[2] ? [from.number(cellWidth)] : [];
    const number = steps.length, extra = extras.get(number) || {};
    const step = { kind: phrase.kind, phrase: phrase.text, cell, mark, by: extra.by || by, area: extra.area || [], struck: extra.struck || [] };
    if (step.kind === "p") {
      nodes.push({ parent: node, level: nodes[node].level + 1, cell, mark, struck: step.struck, step: number, closed: Infinity, fate: "", fateStep: Infinity, children: [] });
      nodes[node].children.push(nodes.length - 1);
      node = nodes.length - 1;
    } else if (step.kind === "b") {
      const to = extra.to === undefined ? nodes[node].level - 1 : extra.to;
      while (nodes[node].level > to) {
        nodes[node].closed = number;
        // Set for the first of the moves that are taken back together: the others depend on it.
        nodes[node].isUndone = nodes[node].level === to + 1;
        node = nodes[node].parent;
      }
    } else if (step.kind === "d" || step.kind === "s") {
      nodes[node].fate = step.kind === "d" ? "dead" : "solved";
      nodes[node].fateStep = number;
    }
    step.node = node;
    steps.push(step);
  }
  return { ...play, steps, nodes, rulesOut: lists(play.board.rulesOut), ...totals(steps), ...layout(nodes) };
}

// The numbers of nodes, dead ends and solutions up to each step.
function totals(steps) {
  const counts = { p: 0, d: 0, s: 0 }, sums = ["p", "d", "s"].map(() => new Int32Array(steps.length));
  steps.forEach((step, at) => {
    if (step.kind in counts) counts[step.kind]++;
    sums[0][at] = counts.p;
    sums[1][at] = counts.d;
    sums[2][at] = counts.s;
  });
  return { sums };
}

// Places leaves side by side, and parents above the middle of their children. `levels` has the nodes of each level from
// left to right.
function layout(nodes) {
  const x = new Float64Array(nodes.length), levels = [];
  let leaves = 0;
  nodes.forEach((node, at) => {
    if (node.children.length === 0) x[at] = leaves++;
    (levels[node.level] = levels[node.level] || []).push(at);
  });
  for (let at = nodes.length - 1; at >= 0; at--) {
    const children = nodes[at].children;
    if (children.length > 0) x[at] = (x[children[0]] + x[children[children.length - 1]]) / 2;
  }
  return { x, levels, leaves };
}

const plays = data.plays.map(decode);
// What is shown: a play and the number of a step. While it runs, `timer` is set, and the last step was due at the time `due`.
let play = plays[0], now = 0, timer = null, due = 0;

// ---- The state at a step

function path(node) {
  const nodes = [];
  for (; node !== NONE; node = play.nodes[node].parent) nodes.push(node);
  return nodes.reverse();
}

// The mark of each cell, and for each candidate of each cell the number of reasons that rule it out.
function boardAt(nodes) {
  const { rows, columns, marks, given } = play.board;
  const cells = new Array(rows * columns).fill(NONE);
  const ruledOut = cells.map(() => new Array(marks.length).fill(0));
  const put = (cell, mark) => {
    cells[cell] = mark;
    for (const other of play.rulesOut[cell]) ruledOut[other][mark]++;
  };
  given.forEach(([cell, mark]) => put(cell, mark));
  for (const node of nodes) {
    const { cell, mark, struck } = play.nodes[node];
    if (cell !== NONE && mark !== NONE) put(cell, mark);
    for (const [other, candidate] of struck) ruledOut[other][candidate]++;
  }
  return { cells, ruledOut };
}

function sentence(number) {
  const step = play.steps[number], name = cell => play.board.cellNames[cell] || "";
  if (number === 0) return "The beginning: nothing has been tried yet. Press Step or Play.";
  const text = step.phrase.replaceAll("{cell}", name(step.cell)).replaceAll("{by}", name(step.by[0]))
    .replaceAll("{mark}", play.board.marks[step.mark] || "");
  // A name such as a4 keeps its letter.
  return text.replace(/^[a-z](?=[a-z]*[ :])/, letter => letter.toUpperCase()) + ".";
}

// ---- Drawing the board

const SIDE = 100;

function drawBoard() {
  const { board } = play, step = play.steps[now], nodes = path(step.node);
  const { cells, ruledOut } = boardAt(nodes), placed = step.kind === "p" && step.cell !== NONE;
  const given = new Set(board.given.map(([cell]) => cell)), area = new Set(step.area), closed = new Set(board.closed);
  const fresh = new Set(placed ? play.rulesOut[step.cell] : []);
  // The names of rows and columns have one size on the screen for boards of all sizes.
  const font = Math.max(14, 3.3 * Math.max(board.rows, board.columns)), label = 1.7 * font;
  const left = board.rowNames.length ? label : 4, width = board.columns * SIDE, height = board.rows * SIDE;
  const at = cell => [left + (cell % board.columns) * SIDE, 4 + Math.floor(cell / board.columns) * SIDE];
  const svg = [];
  cells.forEach((mark, cell) => {
    const [x, y] = at(cell), isDark = (cell % board.columns + Math.floor(cell / board.columns) + board.rows + 1) % 2 === 0;
    let shade = board.isCheckered ? (isDark ? "dark" : "light") : "plain";
    if (area.has(cell)) shade = "area";
    if (placed && cell === step.cell) shade = "now";
    if (step.kind === "s" && mark !== NONE && !given.has(cell)) shade = "won";
    if (step.kind === "r" && cell === step.cell) shade = "bad";
    svg.push(`<rect class="${shade}" x="${x}" y="${y}" width="${SIDE}" height="${SIDE}"/>`);
    if (closed.has(cell)) svg.push(`<rect class="closed" x="${x + 8}" y="${y + 8}" width="${SIDE - 16}" height="${SIDE - 16}"/>`);
    svg.push(drawCell(cell, mark, x, y, ruledOut[cell], { isGiven: given.has(cell), isFresh: fresh.has(cell), isClosed: closed.has(cell) }));
  });
  svg.push(drawLines(left, width, height));
  svg.push(drawReasons(step, at));
  const names = (list, x, y, dx, dy) => list.map((name, index) =>
    `<text class="name" font-size="${font}" x="${x + dx * index}" y="${y + dy * index}">${escaped(name)}</text>`);
  svg.push(...names(board.rowNames, left / 2 - 1, SIDE / 2 + font / 2, 0, SIDE));
  svg.push(...names(board.columnNames, left + SIDE / 2, height + 4 + 1.1 * font, SIDE, 0));
  const bottom = board.columnNames.length ? label : 4;
  $("board").setAttribute("viewBox", `0 0 ${left + width + 4} ${height + 4 + bottom}`);
  $("board").innerHTML = svg.join("");
  const set = nodes.map(node => play.nodes[node]).filter(node => node.cell !== NONE);
  const words = set.map(node => board.cellNames[node.cell] + (board.marks.length > 1 ? " = " + board.marks[node.mark] : ""));
  const all = board.given.length ? boardInWords(cells) : "";
  $("board").setAttribute("aria-label", (words.length ? "Board: " + words.join(", ") : "Board: nothing placed yet") + all);
}

// All marks row by row, for screen readers.
function boardInWords(cells) {
  const { rows, columns, marks, rowNames } = play.board;
  const row = at => cells.slice(at * columns, (at + 1) * columns).map(mark => mark === NONE ? "empty" : marks[mark]).join(" ");
  return Array.from({ length: rows }, (_, at) => `. ${rowNames[at] || at + 1}: ${row(at)}`).join("");
}

function drawCell(cell, mark, x, y, ruledOut, { isGiven, isFresh, isClosed }) {
  const { board } = play, middle = x + SIDE / 2;
  if (mark !== NONE && board.markPath) return `<path class="piece" transform="translate(${x} ${y})" d="${board.markPath}"/>`;
  if (mark !== NONE) return `<text class="${isGiven ? "given" : "set"}" font-size="62" x="${middle}" y="${y + 72}">${escaped(board.marks[mark])}</text>`;
  if (isClosed) return "";
  if (board.marks.length === 1) {
    const isRefused = play.steps[now].kind === "r" && play.steps[now].cell === cell;
    if (ruledOut[0] === 0 || isRefused) return "";
    const isNew = isFresh && ruledOut[0] === 1 && play.steps[now].kind === "p";
    return isNew ? `<text class="cross" font-size="44" x="${middle}" y="${y + 65}">×</text>` : `<circle class="dot" cx="${middle}" cy="${y + 50}" r="8"/>`;
  }
  const across = Math.ceil(Math.sqrt(board.marks.length)), gap = SIDE / across, step = play.steps[now];
  return board.marks.map((name, candidate) => {
    const cx = x + (candidate % across + 0.5) * gap, cy = y + (Math.floor(candidate / across) + 0.5) * gap;
    const lost = step.kind === "p" && ruledOut[candidate] === 1 && ((isFresh && candidate === step.mark) || step.struck.some(([struckCell, struckMark]) => struckCell === cell && struckMark === candidate));
    if (ruledOut[candidate] > 0 && !lost) return "";
    const text = `<text class="${lost ? "out" : "pencil"}" font-size="${gap * 0.8}" x="${cx}" y="${cy + gap * 0.28}">${escaped(name)}</text>`;
    return lost ? text + `<line class="strike" x1="${cx - gap * 0.35}" y1="${cy + gap * 0.3}" x2="${cx + gap * 0.35}" y2="${cy - gap * 0.3}"/>` : text;
  }).join("");
}

function drawLines(left, width, height) {
  const { rows, columns, boxSide, isCheckered } = play.board, lines = [];
  if (!isCheckered) {
    for (let thick = 0; thick < 2; thick++)
      for (let line = 0; line <= Math.max(rows, columns); line++) {
        const isThick = boxSide ? line % boxSide === 0 : line === 0 || line === Math.max(rows, columns);
        if (isThick !== (thick === 1)) continue;
        const name = isThick ? "thick" : "thin";
        if (line <= columns) lines.push(`<path class="${name}" d="M${left + line * SIDE} 4v${height}"/>`);
        if (line <= rows) lines.push(`<path class="${name}" d="M${left} ${4 + line * SIDE}h${width}"/>`);
      }
  }
  return lines.join("");
}

// Frames around the cell of the step and the cells that are its reasons.
function drawReasons(step, at) {
  const svg = [], box = (name, cell, inset) => {
    const [x, y] = at(cell);
    svg.push(`<rect class="${name}" x="${x + inset}" y="${y + inset}" width="${SIDE - 2 * inset}" height="${SIDE - 2 * inset}"/>`);
  };
  for (const cell of step.by) {
    box("by", cell, 4);
    if (step.kind !== "r") continue;
    const [x, y] = at(cell), [toX, toY] = at(step.cell), far = Math.hypot(toX - x, toY - y), trim = SIDE * 0.42 / far;
    const point = (fraction, from, to) => from + SIDE / 2 + (to - from) * fraction;
    svg.push(`<line class="ray" x1="${point(trim, x, toX)}" y1="${point(trim, y, toY)}" x2="${point(1 - trim, x, toX)}" y2="${point(1 - trim, y, toY)}"/>`);
  }
  if (step.cell === NONE) return svg.join("");
  box(step.kind === "r" || step.kind === "b" ? "try" : "frame", step.cell, 5);
  if (step.kind === "r") {
    const [x, y] = at(step.cell), name = play.board.marks.length > 1 ? play.board.marks[step.mark] : "×";
    const cross = `<text class="cross" font-size="60" x="${x + SIDE / 2}" y="${y + 71}">${escaped(name)}</text>`;
    svg.push(cross);
    if (name !== "×") svg.push(`<line class="strike" x1="${x + 26}" y1="${y + 78}" x2="${x + 74}" y2="${y + 22}"/>`);
  }
  return svg.join("");
}

// ---- Drawing the tree

const ACROSS = 38, DOWN = 54, RADIUS = 15;

function drawTree() {
  const step = play.steps[now], onPath = new Set(path(step.node)), current = play.nodes[step.node];
  const width = Math.max(280, Math.min(640, $("tree-figure").clientWidth || 600)), height = Math.round(Math.min(width * 0.85, 440));
  const depth = play.levels.length, wholeWidth = (play.leaves + 0.5) * ACROSS, wholeHeight = (depth + 0.2) * DOWN;
  // A tree that fits is shown whole, a larger one around the current node.
  const fits = wholeWidth <= width * 1.4 && wholeHeight <= height * 1.4;
  const scale = fits ? Math.max(0.65, wholeWidth / width, wholeHeight / height) : 1;
  const [w, h] = [width * scale, height * scale];
  const place = (whole, view, at) => whole <= view ? (whole - view) / 2 : Math.max(0, Math.min(whole - view, at - view / 2));
  const x0 = place(wholeWidth, w, (play.x[step.node] + 0.75) * ACROSS), y0 = wholeHeight <= h ? 0 : place(wholeHeight, h, (current.level + 0.6) * DOWN);
  const at = node => [(play.x[node] + 0.75) * ACROSS - x0, (play.nodes[node].level + 0.6) * DOWN - y0];
  // Nodes on the path to this step that lie outside of the window are drawn at its edge.
  const seenAt = node => {
    const [x, y] = at(node);
    return [onPath.has(node) ? Math.max(RADIUS + 5, Math.min(w - RADIUS - 5, x)) : x, y];
  };
  const edges = [], nodes = [], front = [];
  const add = node => {
    const [x, y] = seenAt(node), isOn = onPath.has(node), parent = play.nodes[node].parent;
    (isOn ? front : nodes).push(drawNode(node, x, y, onPath));
    if (parent === NONE) return;
    const [fromX, fromY] = seenAt(parent), from = fromY + (parent ? RADIUS : RADIUS / 2) + (isNamed(parent) ? 13 : 0);
    (isOn ? front : edges).unshift(`<path class="edge${isOn ? " path" : ""}" d="M${fromX} ${from}L${x} ${y - RADIUS}"/>`);
  };
  play.levels.forEach((level, depth) => {
    const y = (depth + 0.6) * DOWN - y0;
    if (y < -DOWN || y > h + DOWN) return;
    // The first node of the level that is in the window.
    let low = 0, high = level.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(level[middle])[0] < -ACROSS) low = middle + 1; else high = middle;
    }
    for (let index = Math.max(0, low - 1); index < level.length; index++) {
      const node = level[index];
      if (play.nodes[node].step > now || (index > low && at(node)[0] > w + ACROSS)) break;
      if (!onPath.has(node)) add(node);
    }
  });
  path(step.node).forEach(add);
  $("tree").setAttribute("viewBox", `0 0 ${w} ${h}`);
  $("tree").setAttribute("aria-label", `Search tree: ${counted(play.sums[0][now], play.nouns[0])} so far, depth ${current.level}`);
  $("tree").innerHTML = [...edges, ...nodes, ...front].join("");
  $("tree-key").textContent = (fits ? "" : "A part of the tree, around the node of this step. ") +
    `Thick: the way to this step. ${play.nouns[1][0].toUpperCase() + play.nouns[1].slice(1)} have a × and a broken rim, solutions a square and a ✓.`;
}

// Whether the cell of a node is written below it, because the mark alone does not tell which cell it is.
const isNamed = node => play.board.marks.length > 1 && play.nodes[node].cell !== NONE;

function drawNode(index, x, y, onPath) {
  const node = play.nodes[index], isKnown = node.fateStep <= now, { marks, cellNames } = play.board;
  const names = ["node"];
  if (onPath.has(index)) names.push("path");
  if (index === play.steps[now].node) names.push("current");
  if (isKnown) names.push(node.fate);
  const shape = isKnown && node.fate === "solved"
    ? `<rect x="${x - RADIUS}" y="${y - RADIUS}" width="${2 * RADIUS}" height="${2 * RADIUS}"/>`
    : `<circle cx="${x}" cy="${y}" r="${index ? RADIUS : RADIUS / 2}"/>`;
  const isSingle = marks.length === 1, name = cellNames[node.cell] || "";
  const label = node.mark === NONE ? "" : isSingle ? name : (node.cell === NONE ? "−" : "") + marks[node.mark];
  const text = `<text font-size="${label.length > 2 ? 10 : 13}" x="${x}" y="${y + 4.5}">${escaped(label)}</text>`;
  const below = !isNamed(index) ? "" : `<text class="name" font-size="10" x="${x}" y="${y + RADIUS + 10}">${escaped(name)}</text>`;
  const [sign, right, up] = node.fate === "solved" ? ["✓", RADIUS - 3, RADIUS + 3] : ["×", RADIUS + 2, 7];
  const mark = isKnown ? `<text class="sign" font-size="15" font-weight="700" x="${x + right}" y="${y - up}">${sign}</text>` : "";
  return `<g class="${names.join(" ")}" data-step="${node.step}"><title>${escaped(sentence(node.step))}</title>${shape}${text}${below}${mark}</g>`;
}

// ---- Sentences, counts and lists

function drawWords() {
  const step = play.steps[now], last = play.steps.length - 1;
  const end = now === last && !play.isWhole ? " The page ends here, the search does not." : "";
  $("sentence").setAttribute("aria-live", timer === null ? "polite" : "off");
  $("sentence").textContent = sentence(now) + end;
  $("link").textContent = `step ${grouped(now)} of ${grouped(last)}`;
  $("link").href = address();
  $("counts").innerHTML = play.nouns.map((noun, at) => `<b>${counted(play.sums[at][now], noun)}</b>`).join(" ");
  $("slider").value = now;
  $("slider").setAttribute("aria-valuetext", `step ${now} of ${last}`);
  // A button that is `disabled` would lose the focus, so that its key would do nothing any more.
  const disable = (id, isDisabled) => $(id).setAttribute("aria-disabled", isDisabled);
  for (const id of ["back", "start"]) disable(id, now === 0);
  for (const id of ["step", "end"]) disable(id, now === last);
  for (const [id, kind, direction] of JUMPS) disable(id, jump(kind, direction) === NONE);
  $("play").textContent = timer === null ? "Play" : "Pause";
  drawBranches();
  drawFound();
  const item = $("all-list").children[now - 1], marked = $("all-list").querySelector("[aria-current]");
  if (marked) marked.removeAttribute("aria-current");
  if (item) item.setAttribute("aria-current", "step");
}

function drawBranches() {
  const children = play.nodes[0].children;
  $("branches").hidden = children.length < 2;
  if (children.length < 2) return;
  const row = child => {
    const node = play.nodes[child], to = Math.min(now, node.closed);
    if (node.step > now) return "";
    const cells = play.sums.map(sum => `<td>${grouped(sum[to] - sum[node.step - 1])}</td>`).join("");
    const move = play.board.cellNames[node.cell] + (play.board.marks.length > 1 ? " = " + play.board.marks[node.mark] : "");
    return `<tr><td><a href="${address(node.step)}">${escaped(move)}</a>${node.closed > now ? ", so far" : ""}</td>${cells}</tr>`;
  };
  $("branches-body").innerHTML = children.map(row).join("");
}

function drawFound() {
  const found = play.sums[2][now], list = $("found-list");
  $("found").hidden = found === 0;
  while (list.children.length > found) list.lastChild.remove();
  for (let next = list.children.length; next < found; next++) {
    const number = play.solutions[next], item = document.createElement("li");
    const words = path(play.steps[number].node).slice(1).map(node => play.board.cellNames[play.nodes[node].cell]);
    item.innerHTML = `<a href="${address(number)}">step ${grouped(number)}</a>` + (play.board.marks.length === 1 ? ": " + escaped(words.join(" ")) : "");
    list.append(item);
  }
}

// ---- Moving

const JUMPS = [["last-end", "d", -1], ["next-end", "d", 1], ["last-solution", "s", -1], ["next-solution", "s", 1]];

// The nearest dead end ("d") or solution ("s") before the step (-1) or after it (1).
function jump(kind, direction) {
  const numbers = kind === "d" ? play.deadEnds : play.solutions;
  return (direction > 0 ? numbers.find(number => number > now) : numbers.findLast(number => number < now)) ?? NONE;
}

function address(number = now) {
  const index = plays.indexOf(play);
  return "#" + (index ? index + 1 + "-" : "") + number;
}

function draw() {
  drawWords();
  drawBoard();
  drawTree();
}

function show(number) {
  now = Math.max(0, Math.min(play.steps.length - 1, number));
  draw();
  if (timer === null) remember();
}

function remember() {
  if (location.hash !== address() && !(now === 0 && location.hash === "")) history.replaceState(null, "", address());
}

// The step before (-1) or after (1), without refused tries if these are not to be shown.
function neighbour(direction) {
  let number = now + direction;
  if (!$("tries").checked) while (number > 0 && number < play.steps.length - 1 && play.steps[number].kind === "r") number += direction;
  return number;
}

function stop() {
  if (timer === null) return;
  clearTimeout(timer);
  timer = null;
  draw();
  remember();
}

function start() {
  if (now === play.steps.length - 1) now = 0;
  due = performance.now();
  timer = setTimeout(tick, pause());
  draw();
}

// Milliseconds between two steps.
const pause = () => 1000 / Number($("speed").value);

// Takes as many steps as are due, then draws once.
function tick() {
  const time = performance.now(), before = now;
  // After a tab was hidden, the steps of that time are not made up for.
  due = Math.max(due, time - 250 - pause());
  while (time >= due + pause() && now < play.steps.length - 1) {
    due += pause();
    now = Math.min(play.steps.length - 1, neighbour(1));
  }
  if (now === play.steps.length - 1) return stop();
  timer = setTimeout(tick, Math.max(15, due + pause() - time));
  if (now !== before) draw();
}

function changeSpeed(change) {
  const speed = $("speed");
  speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + change));
}

function go(number) {
  stop();
  show(number);
}

const actions = {
  back: () => go(neighbour(-1)), step: () => go(neighbour(1)), start: () => go(0), end: () => go(play.steps.length - 1),
  play: () => timer === null ? start() : stop(),
};
for (const [id, kind, direction] of JUMPS) actions[id] = () => { const to = jump(kind, direction); if (to !== NONE) go(to); };
for (const id in actions) $(id).addEventListener("click", actions[id]);

const KEYS = { ArrowRight: "step", ArrowLeft: "back", " ": "play", Home: "start", End: "end", s: "next-solution", S: "last-solution", d: "next-end", D: "last-end" };
document.addEventListener("keydown", event => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.tagName === "SELECT") return;
  // A focused button, box or link handles the space bar itself.
  if (key === " " && /^(BUTTON|INPUT|A)$/.test(target.tagName) && target.type !== "range") return;
  if (key === "+" || key === "-") changeSpeed(key === "+" ? 1 : -1);
  else if (key === "t" || key === "T") $("tries").click();
  else if (key in KEYS) actions[KEYS[key]]();
  else return;
  event.preventDefault();
});
$("slider").addEventListener("input", () => go(Number($("slider").value)));
$("tree").addEventListener("click", event => {
  const node = event.target.closest("[data-step]");
  if (node) go(Number(node.dataset.step));
});
let touch = null;
$("board").addEventListener("touchstart", event => { touch = event.changedTouches[0]; }, { passive: true });
$("board").addEventListener("touchend", event => {
  const end = event.changedTouches[0];
  if (touch && Math.abs(end.clientX - touch.clientX) > 30 && Math.abs(end.clientX - touch.clientX) > 2 * Math.abs(end.clientY - touch.clientY))
    actions[end.clientX < touch.clientX ? "step" : "back"]();
  touch = null;
});

// ---- Choosing what to play

// The indentation of a step in the list: the number of moves before it on its path that are taken back later.
function indent(step) {
  const nodes = path(step.node).filter(node => play.nodes[node].isUndone && (step.kind !== "p" || node !== step.node));
  return nodes.length;
}

function open(index, number) {
  stop();
  play = plays[index];
  $("slider").max = play.steps.length - 1;
  document.querySelectorAll("#tabs button").forEach((tab, at) => tab.setAttribute("aria-pressed", at === index));
  const [, end, solution] = play.nouns.map(noun => noun.replace(/s\b/, ""));
  $("next-end").textContent = "Next " + end;
  $("last-end").ariaLabel = "Previous " + end;
  $("next-solution").textContent = "Next " + solution;
  $("tries-label").hidden = !play.steps.some(step => step.kind === "r");
  $("notes").innerHTML = play.notes.map(note => `<p>${escaped(note)}</p>`).join("");
  $("key").textContent = play.board.marks.length === 1
    ? "× squares that the new mark attacks, • squares that were attacked before. A broken frame: tried and refused; the line leads to what forbids it."
    : "Bold: given. Small: candidates; struck out: those that this step takes away. A broken frame: refused or taken back.";
  $("marks").setAttribute("viewBox", `0 0 ${Math.max(1, play.steps.length - 1)} 1`);
  $("marks").innerHTML = `<path d="${play.solutions.map(number => `M${number} 0v1`).join("")}"/>`;
  $("branches-head").innerHTML = `<tr><th>first move</th>${play.nouns.map(noun => `<th>${noun}</th>`).join("")}</tr>`;
  $("found-list").replaceChildren();
  const isShort = play.steps.length <= 400;
  $("all").hidden = !isShort;
  $("all-list").innerHTML = !isShort ? "" : play.steps.slice(1).map((step, at) =>
    `<li class="p-${step.kind}" style="padding-left:${indent(step)}em"><a href="${address(at + 1)}">${escaped(sentence(at + 1))}</a></li>`).join("");
  show(number);
}

function openAddress(isFirst = false) {
  const [, index, number] = /^#(?:(\d+)-)?(\d+)$/.exec(location.hash) || [];
  const wanted = index ? Number(index) - 1 : 0;
  if (number === undefined || !plays[wanted]) return open(0, 0);
  if (isFirst || plays[wanted] !== play || Number(number) !== now) open(wanted, Number(number));
}

for (const decoded of plays) {
  const numbers = kind => decoded.steps.map((step, at) => step.kind === kind ? at : NONE).filter(at => at !== NONE);
  decoded.deadEnds = numbers("d");
  decoded.solutions = numbers("s");
}
$("tabs").hidden = plays.length < 2;
plays.forEach((decoded, index) => {
  const tab = document.createElement("button");
  tab.textContent = decoded.name;
  tab.addEventListener("click", () => open(index, 0));
  $("tabs").append(tab);
});
addEventListener("hashchange", () => openAddress());
addEventListener("resize", drawTree);
openAddress(true);
