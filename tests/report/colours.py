"""What a browser finds of colours: text on its ground, and marks that are not the PDF's."""

# Text of a page, and what lies below its middle: boxes of the page, then boxes of its chart.
CONTRASTS = """() => {
const split = words => {
  const [r, g, b, a = 1] = words.match(/[\\d.]+/g).map(Number);
  return [[r, g, b], a];
};
const over = ([above, share], below) => below.map((one, n) => one * (1 - share) + above[n] * share);
const light = rgb => rgb.map(one => one / 255)
  .map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
  .reduce((sum, one, n) => sum + one * [.2126, .7152, .0722][n], 0);
const papers = new Map([[null, [255, 255, 255]]]);
const paper = element => {
  if (!papers.has(element)) papers.set(element,
    over(split(getComputedStyle(element).backgroundColor), paper(element.parentElement)));
  return papers.get(element);
};
const told = (element, colour, ground) => {
  const [one, other] = [light(over(split(colour), ground)), light(ground)].sort((a, b) => a - b);
  const name = element.matches(".legend li") ? element.className : element.closest("[id]").id;
  return {place: name, words: element.textContent.trim(), ground: light(ground),
          contrast: (other + .05) / (one + .05)};
};
const found = [];
for (const chart of document.querySelectorAll("main svg")) {
  const boxes = [...chart.querySelectorAll("rect")].map(one =>
    [one, one.getBoundingClientRect(), getComputedStyle(one)]);
  for (const text of chart.querySelectorAll("text")) {
    const {left, right, top, bottom} = text.getBoundingClientRect();
    const x = (left + right) / 2, y = (top + bottom) / 2;
    let ground = paper(chart);
    for (const [box, at, {fill, fillOpacity}] of boxes) {
      if (box.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) break;
      if (fill === "none" || x < at.left || x > at.right || y < at.top || y > at.bottom) continue;
      const [colour, share] = split(fill);
      ground = over([colour, share * fillOpacity], ground);
    }
    found.push(told(text, getComputedStyle(text).fill, ground));
  }
}
const words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const element = words.currentNode.parentElement;
  if (words.currentNode.data.trim() && !element.closest("svg, script, style"))
    found.push(told(element, getComputedStyle(element).color, paper(element)));
}
return found;
}"""

# Fill and stroke of what a chart draws, as the file names them and as the browser draws them.
DRAWN = """() => {
const pen = document.createElement("canvas").getContext("2d");
const plain = colour => { pen.fillStyle = colour; return pen.fillStyle; };
return [...document.querySelectorAll("main svg *")].flatMap(one =>
  ["fill", "stroke"].filter(name => one.hasAttribute(name) && one.getAttribute(name) !== "none")
    .map(name => ({chart: one.closest("[id]")?.id, part: `${one.tagName} ${name}`,
                   named: plain(one.getAttribute(name)),
                   drawn: plain(getComputedStyle(one)[name])})));
}"""
