// The address of a heading, table or chart: a sign that appears beside it, goes there and copies.
{
  const place = target => {
    if (target.matches("table")) return target.caption;
    if (target.matches("figure")) return target.querySelector("figcaption b");
    return target;
  };

  const link = target => {
    const sign = made("a", {class: "here", href: `#${target.id}`, "aria-label": words.link}, "#");
    const copy = () => navigator.clipboard?.writeText(sign.href).then(
      () => { sign.textContent = "✓"; status.textContent = words.copied; },
      () => {},  // refused: the address bar has it
    );
    const back = () => { sign.textContent = "#"; status.textContent = ""; };
    sign.addEventListener("click", copy);
    sign.addEventListener("blur", back);
    sign.addEventListener("pointerleave", back);
    place(target)?.append(" ", sign);
  };

  document.querySelectorAll("main :is(h1, h2, h3, .finding, table, figure, .chart)[id]").forEach(link);
}
