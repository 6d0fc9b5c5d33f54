"""What a browser finds wrong in the charts of a page: labels that are cut, marks on one another."""

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
