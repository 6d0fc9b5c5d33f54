// The differences between both texts: aligned, one after the other, and line by line with the lines side by side.
"use strict";

const differences = (() => {
  const LINES = "ocrjury.lines";
  const JOINED = /[\u0590-\u08ff\u1800-\u18af\ufb1d-\ufefc]/;
  const COUNT = new Intl.Segmenter();
  let box = null;
  let found = null;
  let lines = null;
  let at = -1;
  let leader = null;

  const sides = () => [...box.querySelectorAll(".row .text")];
  const marks = (text) => [...text.querySelectorAll("ins, del, mark, .gap")];
  const shown = () => box.dataset.diff === "shown";
  const byLine = () => lines !== null && !lines.hidden;

  // What stands above each other: the texts, or each line of all of them.
  const rows = () => (byLine() ? [...lines.querySelectorAll("li")].map((one) => [...one.querySelectorAll("p")]) : [sides()]);

  // A difference stands in both texts, be it as a gap; of several outputs, in one of them.
  function pairs() {
    return rows().flatMap((row) => {
      const [above, below] = row.map(marks);
      if (row.length === 2 && above.length === below.length) return above.map((one, place) => [one, below[place]]);
      return row.flatMap((text) => marks(text).map((one) => [one]));
    });
  }

  // What is replaced is as long in both texts: character by character, if the browser counts them alike.
  function characters(pair) {
    const counted = pair.map((one) => Array.from(COUNT.segment(one.textContent), (unit) => unit.segment));
    if (counted[0].length < 2 || counted[0].length !== counted[1].length) return [pair];
    const split = pair.map((one, side) => {
      one.replaceChildren(...counted[side].map((text) => Object.assign(document.createElement("span"), { textContent: text })));
      return [...one.children];
    });
    return split[0].map((one, place) => [one, split[1][place]]);
  }

  // Whether letters may be put apart: they are not joined, and stand in lines.
  const spaced = () => shown() && !box.querySelector(".columns, .mongolian") && !JOINED.test(box.textContent);

  // Each difference takes as much room in one text as in the other, so that equal characters stand above each other.
  function align() {
    const where = byLine() ? lines : box;
    const fits = byLine() || (box.classList.contains("short") && sides().length === 2);
    if (!fits || !spaced() || where.querySelector(".room")) return;
    const rooms = pairs().filter((pair) => pair.length === 2 && pair.every((one) => one.getClientRects().length <= 1)).flatMap(characters)
      .map((pair) => [pair, Math.max(...pair.map((one) => one.getBoundingClientRect().width))]);
    for (const [pair, room] of rooms) {
      for (const one of pair) {
        one.style.setProperty("--room", `${Math.ceil(room)}px`);
        one.classList.add("room");
      }
    }
  }

  const tell = (text) => { if (found) found.textContent = text; };
  const noneDiffers = () => tell(box.dataset.same || "");

  // The output in which a difference stands, where there are several.
  function letterOf(mark) {
    const before = mark.closest("li p")?.previousElementSibling ?? mark.closest(".row")?.querySelector(".letter");
    return before?.matches(".letter") ? before.textContent : "";
  }

  function show(by) {
    const all = box.querySelector("#diff-button") || shown() ? pairs() : [];
    if (!all.length) return noneDiffers();
    if (!shown()) texts.toggle();
    at = (at + by + all.length) % all.length;
    for (const one of box.querySelectorAll(".here")) one.classList.remove("here");
    // Of a line, all its texts.
    all[at][0].closest("li")?.scrollIntoView({ block: "nearest" });
    for (const one of all[at]) {
      one.classList.add("here");
      one.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    const letter = letterOf(all[at][0]);
    const title = all[at].map((one) => one.title).find(Boolean);
    // Each in a direction of its own, so that the arrow points from the first to the second.
    return tell(`${letter ? `${letter} · ` : ""}${title}: ${all[at].map((one) => `\u2068${one.textContent.trim()}\u2069`).join(" → ")}`);
  }

  const line = (text) => text.querySelectorAll(".line");

  // One line of each text, outputs under their letters.
  function rowOf(place) {
    const row = document.createElement("li");
    for (const text of sides()) {
      const side = document.createElement("p");
      const part = line(text)[place];
      const letter = text.closest(".row").querySelector(".letter");
      [side.dir, side.lang] = [text.dir, text.lang];
      if (part) side.append(part.cloneNode(true));
      if (letter) row.append(letter.cloneNode(true));
      row.append(side);
    }
    return row;
  }

  function build() {
    lines = document.createElement("ol");
    lines.className = "lines";
    lines.tabIndex = 0;
    lines.setAttribute("aria-label", box.querySelector("#lines-button").textContent);
    lines.append(...Array.from(line(sides()[0]), (_, place) => rowOf(place)));
    box.append(lines);
  }

  function putLines(on) {
    const button = box.querySelector("#lines-button");
    if (!button) return;
    if (lines === null && on) build();
    if (lines) lines.hidden = !on;
    at = -1;
    for (const row of box.querySelectorAll(".row")) row.hidden = on;
    button.setAttribute("aria-pressed", String(on));
    align();
  }

  function toggleLines() {
    if (!box.querySelector("#lines-button")) return;
    localStorage.setItem(LINES, byLine() ? "" : "on");
    putLines(!byLine());
  }

  // What scrolls one text scrolls the others to the same line; by its share where they have no common lines.
  function follow(text) {
    const others = sides().filter((one) => one !== text);
    if (leader && leader !== text) return;
    leader = text;
    const common = line(text).length > 1 && others.every((one) => line(one).length === line(text).length);
    for (const one of others) {
      if (common || others.length === 1) toLine(text, one);
      else one.scrollTop = (text.scrollTop / Math.max(room(text), 1)) * room(one);
    }
    requestAnimationFrame(() => requestAnimationFrame(() => { leader = null; }));
  }

  const room = (text) => text.scrollHeight - text.clientHeight;

  function toLine(text, other) {
    const top = text.getBoundingClientRect().top;
    const place = [...line(text)].findIndex((one) => one.getBoundingClientRect().bottom > top + 1);
    const here = line(text)[place]?.getBoundingClientRect();
    const there = line(other)[place]?.getBoundingClientRect();
    if (!here || !there) return;
    const part = (top - here.top) / Math.max(here.height, 1);
    other.scrollTop += there.top + part * there.height - other.getBoundingClientRect().top;
  }

  pages.onShown(({ main }) => {
    box = main.querySelector("#texts");
    found = main.querySelector("#found");
    lines = box.querySelector(".lines");
    [at, leader] = [-1, null];
    for (const text of sides()) text.addEventListener("scroll", () => follow(text), { passive: true });
    main.querySelector("#lines-button")?.addEventListener("click", toggleLines);
    putLines(localStorage.getItem(LINES) === "on");
    align();
    new MutationObserver(align).observe(box, { attributeFilter: ["data-diff"] });
    // An item begins with what is to be looked at, whatever was shown before.
    history.scrollRestoration = "manual";
    scrollTo(0, 0);
  });

  return { noneDiffers, rows, byLine, spaced, show, toggleLines };
})();
