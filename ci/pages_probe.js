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
  const numbers = () => $("counts").textContent.replace(/,/g, "").match(/\d+/g).map(Number);
  // The cells that have a mark on the board, as they are drawn.
  const marked = () => {
    const { board } = play, left = $("board").querySelector("rect").x.baseVal.value;
    const cell = (x, y) => Math.floor((y - 4) / 100) * board.columns + Math.floor((x - left) / 100);
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
  check("back at the beginning", $("back").disabled, true);
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

  // Every solution, and the counts when the page ends.
  press("Home");
  let solutions = 0;
  while (!$("next-solution").disabled && solutions < 1000) {
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
  check("every button has a name", [...document.querySelectorAll("button")].every(button => /[a-z]/i.test(button.ariaLabel || button.textContent)), true);
  check("the board is told", $("board").getAttribute("aria-label").startsWith("Board: "), true);
  setTimeout(() => {
    check("a step by its address", now, 3);
    click("start");
    $("speed").value = "30";
    press(" ");
    check("while it plays nothing is read aloud", [$("play").textContent, $("sentence").getAttribute("aria-live")], ["Pause", "off"]);
    setTimeout(() => {
      press(" ");
      const paused = now;
      check("it has played", paused > 0, true);
      check("what is read aloud again", $("sentence").getAttribute("aria-live"), "polite");
      setTimeout(() => {
        check("a pause", now, paused);
        document.title = failed.length ? "FAILED " + failed.join(" | ").slice(0, 2000) : `${passed} passed`;
      }, 200);
    }, 400);
  }, 50);
}
