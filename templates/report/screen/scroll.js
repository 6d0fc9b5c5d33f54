// Boxes that scroll are reached by the keyboard.
{
  // A box that scrolls, and a name for it that no other has.
  const names = new Map();
  const framed = table => {
    let box = table.parentElement;
    if (!box.classList.contains("wide")) {
      box = document.createElement("div");
      box.className = "wide";
      table.replaceWith(box);
      box.append(table);
    }
    const heads = [...document.querySelectorAll("main :is(h1, h2, .finding)")];
    const above = heads.filter(one => one.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1);
    const name = (table.caption ?? above).textContent.trim();
    names.set(name, (names.get(name) ?? 0) + 1);
    box.dataset.name = names.get(name) > 1 ? `${name} (${names.get(name)})` : name;
    return box;
  };

  const reachable = box => {
    const scrolls = box.scrollWidth > box.clientWidth;
    const given = {tabindex: "0", role: "region", "aria-label": box.dataset.name};
    for (const [key, value] of Object.entries(given))
      if (scrolls) box.setAttribute(key, value); else box.removeAttribute(key);
  };

  const boxes = [...document.querySelectorAll("main table")].map(framed);
  const seen = new ResizeObserver(changes => changes.forEach(one => reachable(one.target)));
  boxes.forEach(box => { reachable(box); seen.observe(box); });
}
