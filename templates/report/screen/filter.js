// A field above a long table that leaves the rows with all of its words.
{
  const LEAST_TO_FILTER = 12;

  const filtered = table => {
    const rows = [...table.tBodies].flatMap(body => [...body.rows]);
    const heads = rows.filter(row => row.querySelector("[scope=rowgroup]"));
    const counted = rows.filter(row => !heads.includes(row));
    if (!table.tHead || counted.length < LEAST_TO_FILTER) return;
    const field = made("input", {type: "search"});
    const count = made("span", {role: "status"});
    (table.closest(".wide") ?? table).before(
      made("p", {class: "filter"}, made("label", {}, made("span", {}, words.filter), field), count),
    );
    const texts = new Map();
    const plain = text => text.normalize("NFC").toLowerCase();
    const keep = () => {
      // Read once, when somebody asks: it lays the page out.
      if (!texts.size) for (const row of counted) texts.set(row, plain(row.innerText));
      const wanted = plain(field.value).split(/\s+/).filter(Boolean);
      for (const [row, text] of texts) row.hidden = !wanted.every(word => text.includes(word));
      for (const head of heads)
        head.hidden = [...head.parentElement.rows].every(row => row === head || row.hidden);
      const shown = counted.filter(row => !row.hidden).length;
      count.textContent = wanted.length
        ? words.shown.replace("{shown}", shown).replace("{total}", counted.length) : "";
    };
    field.addEventListener("input", keep);
  };

  document.querySelectorAll("main table").forEach(filtered);
}
