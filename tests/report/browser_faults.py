"""What a browser finds wrong in charts, cells and lines: words cut, broken, or on one another."""

# Ink of a label: two thirds of its size about its middle, as wide as its box.
CHART_FAULTS = """() => {
const found = [];
const meet = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
for (const chart of document.querySelectorAll("main svg")) {
  const say = (fault, ...words) =>
    found.push([chart.closest("[id]")?.id, fault, words.join(" | ")]);
  const frame = chart.getBoundingClientRect();
  const unit = frame.width / chart.viewBox.baseVal.width;
  const labels = [...chart.querySelectorAll("text")].map(one => {
    const box = one.getBoundingClientRect(), middle = (box.top + box.bottom) / 2;
    const half = parseFloat(one.getAttribute("font-size")) * unit / 3;
    return {name: one.textContent, left: box.left, right: box.right,
            top: middle - half, bottom: middle + half};
  });
  const marks = [...chart.querySelectorAll("circle, rect[data-value], line[data-value]")].map(
    one => {
      const box = one.getBoundingClientRect(), grown = one.tagName === "line" ? 1 : 0;
      return {tag: one.tagName, value: one.dataset.value, left: box.left, right: box.right,
              top: box.top - grown, bottom: box.bottom + grown, width: box.width,
              x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2,
              small: box.width < 14 * unit && Math.abs(box.width - box.height) < .5};
    });
  const points = marks.filter(one => one.tag === "circle" || (one.tag === "rect" && one.small));
  labels.forEach((label, place) => {
    if (label.left < frame.left - 1 || label.right > frame.right + 1 ||
        label.top < frame.top - 1 || label.bottom > frame.bottom + 1) say("cut", label.name);
    for (const other of labels.slice(place + 1))
      if (meet(label, other)) say("label on label", label.name, other.name);
    for (const mark of marks)
      if (mark.tag !== "rect" && meet(label, mark)) say("mark on label", label.name, mark.value);
  });
  points.forEach((one, place) => {
    for (const other of points.slice(place + 1))
      if (one.value !== other.value &&
          Math.hypot(one.x - other.x, one.y - other.y) < Math.max(one.width, other.width) / 2)
        say("point on point", one.value, other.value);
  });
}
return found;
}"""

# Words that reach beyond their cell or tile, Latin ones that are broken, and words of a tile
# with no room between them. A name may be of any length, and is broken anywhere.
CELL_FAULTS = """() => {
const found = [];
for (const cell of document.querySelectorAll("main :is(td, th, .cell, .cell .value, .pill)")) {
  const frame = cell.getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(cell);
  if ([...range.getClientRects()].some(one =>
      one.width && (one.right > frame.right + 1 || one.left < frame.left - 1)))
    found.push([cell.closest("[id]").id, cell.textContent.trim()]);
}
const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const {data, parentElement} = texts.currentNode;
  if (!parentElement.closest("td, th") || parentElement.closest("svg, .name")) continue;
  for (const word of data.matchAll(/[A-Za-z’]+/g)) {
    const range = document.createRange();
    range.setStart(texts.currentNode, word.index);
    range.setEnd(texts.currentNode, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(one => one.top)).size > 1)
      found.push([parentElement.closest("[id]").id, word[0]]);
  }
}
for (const value of document.querySelectorAll("main .cell .value")) {
  const [number, word] = [...value.children].map(one => one.getBoundingClientRect());
  if (word.width && word.top < number.bottom && word.left < number.right + 4)
    found.push([value.closest("[id]").id, value.textContent]);
}
return found;
}"""

# Korean words that a line ends in, and texts whose last line is a single character of CJK.
LINE_FAULTS = """() => {
const found = [];
const tops = (node, start, end) => {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  return new Set([...range.getClientRects()].map(one => one.top));
};
const korean = document.documentElement.lang === "ko";
const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const node = texts.currentNode;
  if (node.parentElement.closest("svg, .mono, .diff")) continue;
  for (const word of korean ? node.data.matchAll(/[가-힣]+/g) : [])
    if (tops(node, word.index, word.index + word[0].length).size > 1) found.push(word[0]);
  const last = node.data.search(/[가-힣一-鿿]{2}[。）]?\\s*$/);
  if (last >= 0 && tops(node, last, last + 2).size > 1) found.push(node.data.trim());
}
return found;
}"""
