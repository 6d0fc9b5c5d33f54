// Several outputs of one page: the arrow keys go from one to the other on the same question.
"use strict";

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || !keys.free(event) || event.defaultPrevented || !keys.on()) return;
  if (keys.writing(event.target) || event.target.id === "stage" || event.target.closest(".choice, .sure, .slider")) return;
  const all = answers.all();
  const here = answers.current();
  const same = all.filter((one) => one.parentElement === here.parentElement);
  const next = same[same.indexOf(here) + step];
  event.preventDefault();
  if (next) answers.focusOn(next);
});

// Equal characters of the reference and of all outputs stand above each other: where one text has more, the others
// leave room, and what replaces a character takes as much as it. So it is line by line, too.
(() => {
  const COUNT = new Intl.Segmenter();
  // A line end that is missing shows as a sign, which belongs to it.
  const unitsOf = (text) => Array.from(COUNT.segment(text.replaceAll("⏎\n", "\n")), ({ segment }) => (text.includes("⏎\n") && segment === "\n" ? "⏎\n" : segment));

  // The characters of a text, each with its place in the reference; what is inserted stands before its place.
  function cellsOf(text) {
    const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walk.nextNode()) nodes.push(walk.currentNode);
    const cells = [];
    let place = 0;
    for (const node of nodes) {
      const more = node.parentElement.closest("ins") !== null;
      const units = unitsOf(node.data).map((unit) => Object.assign(document.createElement("span"), { textContent: unit }));
      node.replaceWith(...units);
      for (const unit of units) {
        cells.push({ unit, place, more });
        if (!more) place += 1;
      }
    }
    return { text, cells, length: place };
  }

  function fill(side, place, number) {
    const before = side.cells.find((one) => !one.more && one.place === place)?.unit;
    const fillers = Array.from({ length: number }, () => Object.assign(document.createElement("i"), { className: "filler" }));
    for (const one of fillers) one.setAttribute("aria-hidden", "true");
    const marked = before?.closest("mark, del");
    if (before) (marked?.firstElementChild === before ? marked : before).before(...fillers);
    else (side.text.querySelector(".line") ?? side.text).append(...fillers);
    return fillers;
  }

  // Of every place of the reference: what stands above each other there.
  function columnsAt(sides, place) {
    const more = sides.map((side) => side.cells.filter((one) => one.more && one.place === place).map((one) => one.unit));
    const most = Math.max(...more.map((units) => units.length));
    const filled = more.map((units, number) => [...units, ...fill(sides[number], place, most - units.length)]);
    const own = sides.map((side) => side.cells.find((one) => !one.more && one.place === place)?.unit).filter(Boolean);
    return [...Array.from({ length: most }, (_, slot) => filled.map((units) => units[slot])), own];
  }

  function alignRow(texts) {
    const sides = texts.map(cellsOf);
    const [{ length }] = sides;
    if (sides.some((side) => side.length !== length)) return [];
    return Array.from({ length: length + 1 }, (_, place) => columnsAt(sides, place)).flat();
  }

  // Lines that are equal in all texts stand above each other as they are.
  const differs = (texts) => texts.some((one) => one.querySelector("ins, del, mark"));

  function align() {
    const box = document.getElementById("texts");
    if (!(box.matches(".short") || differences.byLine()) || !differences.spaced()) return;
    const rows = differences.rows().filter((texts) => texts.length > 2 && differs(texts) && !texts.some((one) => one.querySelector(".filler, .room, .empty")));
    const columns = rows.flatMap(alignRow);
    const widths = columns.map((column) => column.map((one) => one.getBoundingClientRect().width));
    columns.forEach((column, number) => column.forEach((one, side) => {
      const room = Math.max(...widths[number]);
      if (room - widths[number][side] < 0.1 || one.textContent === "\n") return;
      one.style.setProperty("--room", `${room}px`);
      one.classList.add("room");
    }));
  }

  pages.onShown(() => {
    align();
    new MutationObserver(align).observe(document.getElementById("texts"), { subtree: true, attributeFilter: ["data-diff", "hidden"] });
  });
})();
