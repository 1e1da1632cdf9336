// Uses a page that plays a search as a person would, by its buttons and keys, and compares what it shows with
// what the program has printed. `expected` is defined before this: sentences, lastSolution, solutions, nodes,
// deadEnds, isWhole. The title of the page becomes what has failed, or how many checks have passed.
{
  const failed = [];
  let passed = 0;
  const check = (what, found, wanted) => {
    if (JSON.stringify(found) === JSON.stringify(wanted)) passed++;
    else failed.push(`${what}: found ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`);
  };
  const click = id => $(id).click();
  const press = (key, where = document.body) => where.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const said = () => $("sentence").textContent;
  const picture = () => [$("board").innerHTML, $("tree").innerHTML, said(), $("counts").textContent];
  const isOff = id => $(id).getAttribute("aria-disabled") === "true";
  const numbers = () => $("counts").textContent.replace(/,/g, "").match(/\d+/g).map(Number);
  // The cell at a place of the drawing.
  const cell = (x, y) => {
    const left = $("board").querySelector("rect").x.baseVal.value;
    return Math.floor((y - 4) / 100) * play.board.columns + Math.floor((x - left) / 100);
  };
  // The cells that have a mark on the board, as they are drawn.
  const marked = () => {
    const { board } = play;
    if (board.markPath) return [...$("board").querySelectorAll(".piece")].map(piece => {
      const [x, y] = piece.getAttribute("transform").match(/[\d.]+/g).map(Number);
      return board.cellNames[cell(x + 50, y + 50)];
    }).join(" ");
    const text = new Array(board.rows * board.columns).fill(".");
    for (const mark of $("board").querySelectorAll("text.given, text.set"))
      text[cell(Number(mark.getAttribute("x")), Number(mark.getAttribute("y")) - 50)] = mark.textContent;
    return text.join("");
  };

  const last = play.steps.length - 1;
  check("steps", last, expected.steps);
  const saidOf = number => number > last ? "" : sentence(number).replace(/\.$/, "").toLowerCase();
  expected.sentences.forEach((wanted, at) => {
    if (saidOf(at + 1) !== wanted.toLowerCase()) check(`sentence ${at + 1}`, saidOf(at + 1), wanted.toLowerCase());
  });

  // There and back again, by keys and by buttons, and all is as it was.
  const begun = picture(), seen = [];
  check("back at the beginning", isOff("back"), true);
  for (let step = 0; step < 30; step++) { seen.push(picture()); step % 2 ? press("ArrowRight") : click("step"); }
  check("thirty steps", now, 30);
  check("the address", location.hash, "#30");
  for (let step = 29; step >= 0; step--) {
    step % 2 ? press("ArrowLeft") : click("back");
    if (JSON.stringify(picture()) !== JSON.stringify(seen[step])) check(`back at step ${step}`, picture(), seen[step]);
  }
  check("the beginning again", picture(), begun);

  // Swipes.
  const swipe = (from, to) => ["touchstart", "touchend"].forEach((name, at) => {
    const touch = new Touch({ identifier: 1, target: $("board"), clientX: at ? to : from, clientY: 50 });
    $("board").dispatchEvent(new TouchEvent(name, { changedTouches: [touch], bubbles: true }));
  });
  for (let swipes = 0; swipes < 3; swipes++) swipe(200, 100);
  swipe(100, 200);
  check("three swipes on and one back", now, 2);

  // Without refused tries.
  if (!$("tries-label").hidden) {
    press("t");
    for (let step = 0; step < 12; step++) { click("step"); if (play.steps[now].kind === "r") check("a refused try", now, "none"); }
    press("t");
    check("refused tries are back", $("tries").checked, true);
  }

  // Steps here and there, compared with a replay by the rules: board, candidates, tree, counts and tables.
  const { board } = play, count = board.rows * board.columns, extras = new Map(play.extras.map(extra => [extra.step, extra]));
  const isQueens = board.marks.length === 1, row = cell => Math.floor(cell / board.columns), column = cell => cell % board.columns;
  const rules = (one, other) => one !== other && (row(one) === row(other) || column(one) === column(other) ||
    (isQueens ? Math.abs(row(one) - row(other)) === Math.abs(column(one) - column(other))
      : Math.floor(row(one) / 3) === Math.floor(row(other) / 3) && Math.floor(column(one) / 3) === Math.floor(column(other) / 3)));
  const drawn = selector => [...$("board").querySelectorAll(selector)];
  // The cells of texts, rectangles and circles, which lie within their cell.
  const cellsOf = selector => drawn(selector).map(it => {
    const box = it.getBBox();
    return cell(box.x + box.width / 2, box.y + box.height / 2);
  }).sort((one, other) => one - other);
  const texts = selector => drawn(selector).map(it => cell(Number(it.getAttribute("x")), Number(it.getAttribute("y")) - 5) + ":" + it.textContent).sort();
  const moves = [], ends = [], firsts = [], totals = [0, 0, 0];
  // Which cells a mark can still go to, from the moves made.
  const candidates = path => {
    const marks = new Map(board.given), lost = new Set(path.flatMap(move => move.struck.map(String)));
    for (const move of path) if (move.cell >= 0 && move.mark >= 0 && !move.struck.length) marks.set(move.cell, move.mark);
    const open = new Set();
    for (let at = 0; at < count; at++) for (let mark = 0; mark < board.marks.length; mark++) {
      const isTaken = [...marks].some(([other, held]) => held === mark && rules(at, other));
      if (!marks.has(at) && !isTaken && !lost.has(at + "," + mark)) open.add(at + ":" + board.marks[mark]);
    }
    return open;
  };
  const compare = number => {
    const step = play.steps[number], wanted = (what, found, is) => check(`${what} at step ${number}`, found, is);
    go(number);
    wanted("counts", numbers(), totals);
    wanted("the step that is told", $("link").textContent.replace(/,/g, ""), `step ${number} of ${last}`);
    const before = candidates(step.kind === "p" ? moves.slice(0, -1) : moves), open = candidates(moves);
    const lost = [...before].filter(it => !open.has(it) && !(step.kind === "p" && !step.struck.length && it.startsWith(step.cell + ":")));
    if (isQueens) {
      const sorted = list => list.map(it => Number(it.split(":")[0])).sort((one, other) => one - other);
      const free = sorted(lost).filter(at => !board.closed.includes(at));
      if (step.kind === "p") wanted("squares attacked anew", cellsOf("text.cross"), free);
      wanted("closed squares", cellsOf("rect.closed"), [...board.closed].sort((one, other) => one - other));
      wanted("queens", marked(), moves.map(move => board.cellNames[move.cell]).join(" "));
    } else {
      wanted("candidates", texts("text.pencil"), [...open].sort());
      wanted("candidates taken away", texts("text.out"), lost.sort());
      wanted("givens", cellsOf("text.given"), board.given.map(it => it[0]).sort((one, other) => one - other));
    }
    wanted("reasons", cellsOf("rect.by"), [...step.by].sort((one, other) => one - other));
    wanted("the area", cellsOf("rect.area"), step.area.filter(at => step.kind !== "p" || at !== step.cell).sort((one, other) => one - other));
    const words = moves.filter(move => move.cell >= 0).map(move => board.cellNames[move.cell] + (isQueens ? "" : " = " + board.marks[move.mark]));
    const told = $("board").getAttribute("aria-label").split(". ");
    wanted("the board in words", told[0], words.length ? "Board: " + words.join(", ") : "Board: nothing placed yet");
    const rows = marks => Array.from({ length: board.rows }, (_, at) => `${board.rowNames[at]}: ${[...marks].slice(at * board.columns, (at + 1) * board.columns).map(it => it === "." ? "empty" : it).join(" ")}`);
    wanted("its rows in words", told.slice(1), isQueens ? [] : rows(marked()));
    const nodes = [...$("tree").querySelectorAll(".node")], kinds = name => nodes.filter(node => node.classList.contains(name));
    wanted("the node of the step", kinds("current").map(node => Number(node.dataset.step)), [moves.length ? moves.at(-1).step : 0]);
    wanted("nodes to come", nodes.filter(node => Number(node.dataset.step) > number).length, 0);
    if (!$("tree-key").textContent.startsWith("A part"))
      wanted("the tree", [nodes.length, kinds("dead").length, kinds("solved").length], [1 + totals[0], totals[1], totals[2]]);
    const branches = [...$("branches-body").rows].map(row => [...row.cells].map(cell => cell.textContent.replace(/,(?=\d)/g, "")));
    if (!$("branches").hidden) wanted("branches", branches, firsts.map(first =>
      [(isQueens ? first.name : `${first.name} = ${first.mark}`) + (first.isOpen ? ", so far" : ""), ...first.counts.map(String)]));
    wanted("links to solutions", [...$("found-list").querySelectorAll("a")].map(link => link.getAttribute("href")), ends.map(end => "#" + end));
    if (!$("all").hidden) wanted("the step in the list", [...$("all-list").children].findIndex(item => item.hasAttribute("aria-current")) + 1, number);
    wanted("a jump", [jump("d", 1), jump("s", -1)], [play.steps.findIndex((it, at) => at > number && it.kind === "d"), play.steps.findLastIndex((it, at) => at < number && it.kind === "s")]);
  };
  const stride = Math.max(1, Math.floor(last / 25));
  for (let number = 1; number <= last; number++) {
    const step = play.steps[number], extra = extras.get(number) || {}, counted = at => { totals[at]++; if (firsts.length) firsts.at(-1).counts[at]++; };
    if (step.kind === "p") {
      if (!moves.length) firsts.push({ name: board.cellNames[step.cell], mark: board.marks[step.mark], counts: [0, 0, 0], isOpen: true });
      moves.push({ cell: step.cell, mark: step.mark, struck: extra.struck || [], step: number });
      counted(0);
    } else if (step.kind === "d") counted(1);
    else if (step.kind === "s") { ends.push(number); counted(2); }
    else if (step.kind === "b") {
      moves.length = extra.to === undefined ? moves.length - 1 : extra.to;
      if (!moves.length) firsts.at(-1).isOpen = false;
    }
    if (number < 12 || number % stride === 0 || number === last) compare(number);
  }
  check("solutions on the slider", $("marks").innerHTML.match(/M\d+/g), ends.length ? ends.map(end => "M" + end) : null);

  // Without refused tries the way back is the way there.
  if (!$("tries-label").hidden) {
    click("tries");
    const there = [0], back = [];
    for (click("start"); there.length < 15 && now < last;) { click("step"); there.push(now); }
    for (back.push(now); now > 0;) { click("back"); back.push(now); }
    check("the way back without refused tries", back.reverse(), there);
    click("tries");
  }

  // Two plays on one page: their buttons, and addresses of steps in each.
  if (plays.length > 1) {
    const pressed = () => [...document.querySelectorAll("#tabs button")].map(tab => tab.getAttribute("aria-pressed"));
    $("tabs").children[1].click();
    check("the second play is pressed", pressed(), ["false", "true"]);
    check("the second play begins", [play === plays[1], now], [true, 0]);
    click("step");
    check("the address of its step", location.hash, "#2-1");
    $("tabs").children[0].click();
    location.hash = "#2-3";
    openAddress();
    check("a step of the second play by its address", [play === plays[1], now], [true, 3]);
    location.hash = "#7";
    openAddress();
    check("a step of the first play by its address", [play === plays[0], now, pressed()[0]], [true, 7, "true"]);
  }

  // Every solution, and the counts when the page ends.
  press("Home");
  let solutions = 0;
  while (!isOff("next-solution") && solutions < 1000) {
    solutions++;
    click("next-solution");
    check("what is said of a solution", /solution/.test(said()), true);
  }
  check("solutions", solutions, expected.solutions);
  if (expected.solutions) check("the last solution", marked(), expected.lastSolution);
  click("end");
  check("the end", now, last);
  check("counts at the end", numbers(), [expected.nodes, expected.deadEnds, expected.solutions]);
  check("whether the end is told", / The page ends here, the search does not\.$/.test(said()), !expected.isWhole);
  press("D");
  check("a dead end before the end", expected.deadEnds === 0 || play.steps[now].kind === "d", true);
  if (expected.solutions) {
    click("end");
    press("S");
    check("back to the last solution", marked(), expected.lastSolution);
    check("the list of solutions", $("found-list").children.length, expected.solutions);
  }

  // A node of the tree that is clicked, and the address of a step.
  const node = $("tree").querySelector(".node[data-step]:not([data-step='0'])");
  node.querySelector("circle, rect").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  check("the step of a node", now, Number(node.dataset.step));
  location.hash = "#3";
  check("nothing is wider than the page", document.documentElement.scrollWidth <= innerWidth, true);
  click("end");
  click("end");
  $("end").focus();
  check("a button that does nothing now keeps the focus", document.activeElement.id, "end");
  press(" ");
  check("it plays from the beginning again", now, 0);
  press(" ");
  press("+");
  const faster = $("speed").value;
  press("-");
  check("the speed by keys", [faster, $("speed").value], ["10", "3"]);
  location.hash = "#3";
  check("every button has a name", [...document.querySelectorAll("button")].every(button => /[a-z]/i.test(button.ariaLabel || button.textContent)), true);
  check("the board is told", $("board").getAttribute("aria-label").startsWith("Board: "), true);
  // The page has heard of the new address before this listener, which was added later, does.
  addEventListener("hashchange", () => {
    check("a step by its address", now, 3);
    click("start");
    $("speed").value = "30";
    press(" ");
    check("while it plays nothing is read aloud", [$("play").textContent, $("sentence").getAttribute("aria-live")], ["Pause", "off"]);
    setTimeout(() => {
      press(" ");
      const paused = now;
      check("it has played, 30 steps a second", paused > 5 && paused < 20, true);
      check("what is read aloud again", $("sentence").getAttribute("aria-live"), "polite");
      setTimeout(() => {
        check("a pause", now, paused);
        document.title = failed.length ? "FAILED " + failed.join(" | ").slice(0, 2000) : `${passed} passed`;
      }, 200);
    }, 400);
  }, { once: true });
}
