// Tables sorted by their heads.
{
  const LEAST_TO_SORT = 6, DASH = /^[—–-]?$/;
  const NUMBER = /^([<>≤≥≈~×+]?)\s*([−+-]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)/;

  const number = text => {
    const found = NUMBER.exec(text);
    if (!found) return NaN;
    const size = Number(found[3].replaceAll(",", ""));
    return found[2] && found[2] !== "+" ? -size : size;
  };

  // Dashes are neither low nor high: they stand last both ways.
  const compare = (a, b, way, numeric) => {
    const none = DASH.test(a) - DASH.test(b);
    if (none || DASH.test(a)) return none;
    return way * (numeric && number(a) - number(b) || a.localeCompare(b, document.documentElement.lang, {numeric: true}));
  };

  const sort = (body, printed, column, way) => {
    // A cell with more than its number says by what it is sorted.
    const text = row => row.cells[column].dataset.sort ?? row.cells[column].innerText.trim();
    const known = printed.map(text).filter(one => !DASH.test(one));
    const numeric = known.every(one => !Number.isNaN(number(one)));
    const rows = printed.map(row => [text(row), row]);
    if (way) rows.sort(([a], [b]) => compare(a, b, way, numeric));
    body.append(...rows.map(([, row]) => row));
  };

  // Up, down, and back to the order in which the report prints the rows.
  const NEXT = {none: "ascending", ascending: "descending", descending: "none"};
  const WAYS = {none: 0, ascending: 1, descending: -1};

  const sortable = table => {
    const [body] = table.tBodies, head = [...table.tHead?.rows[0]?.cells ?? []];
    if (table.tBodies.length !== 1 || body.rows.length < LEAST_TO_SORT) return;
    if (table.querySelector("[colspan], [rowspan]")) return;
    const printed = [...body.rows];
    head.forEach((cell, column) => {
      if (!cell.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      cell.append(button);
      cell.ariaSort = "none";
      button.addEventListener("click", () => {
        const next = NEXT[cell.ariaSort];
        head.forEach(one => { if (one.ariaSort) one.ariaSort = "none"; });
        cell.ariaSort = next;
        sort(body, printed, column, WAYS[next]);
      });
    });
  };

  document.querySelectorAll("main table").forEach(sortable);
}
