// Boxes that scroll are reached by the keyboard.
{
  const BROAD = 500;

  // A box that scrolls, and a name for it that no other has.
  const names = new Map();
  const framed = (content, name) => {
    let box = content.parentElement;
    if (!box.classList.contains("wide")) {
      box = made("div", {class: "wide"});
      content.replaceWith(box);
      box.append(content);
    }
    names.set(name, (names.get(name) ?? 0) + 1);
    box.dataset.name = names.get(name) > 1 ? `${name} (${names.get(name)})` : name;
    return box;
  };

  const heads = [...document.querySelectorAll("main :is(h1, h2, .finding)")];
  const above = table =>
    heads.filter(one => one.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1);
  const tables = [...document.querySelectorAll("main table")].map(
    table => framed(table, (table.caption ?? above(table)).textContent.trim()),
  );

  // A broad chart keeps the size of its words on a phone, and scrolls.
  const broad = [...document.querySelectorAll("main figure > svg")].filter(chart => chart.viewBox.baseVal.width > BROAD);
  const charts = broad.map(chart => framed(chart, chart.querySelector("title").textContent));
  charts.forEach(box => box.classList.add("broad"));

  const reachable = box => {
    const scrolls = box.scrollWidth > box.clientWidth;
    const given = {tabindex: "0", role: "region", "aria-label": box.dataset.name};
    for (const [key, value] of Object.entries(given))
      if (scrolls) box.setAttribute(key, value); else box.removeAttribute(key);
  };
  const seen = new ResizeObserver(changes => changes.forEach(one => reachable(one.target)));
  [...tables, ...charts].forEach(box => { reachable(box); seen.observe(box); });
}
