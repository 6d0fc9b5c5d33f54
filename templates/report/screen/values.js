// The value of a mark of a chart: under the pointer, or step by step with the arrow keys.
{
  const tip = made("div", {class: "tip", hidden: ""});
  document.querySelector("main").append(tip);

  const hide = () => {
    tip.hidden = true;
    document.querySelector(".pointed")?.classList.remove("pointed");
  };
  const show = mark => {
    hide();
    mark.classList.add("pointed");
    tip.textContent = mark.dataset.value;
    tip.hidden = false;
    const at = mark.getBoundingClientRect(), box = tip.getBoundingClientRect();
    const left = at.left + at.width / 2 - box.width / 2;
    const room = document.documentElement.clientWidth - box.width - 4;
    tip.style.left = `${scrollX + Math.max(4, Math.min(left, room))}px`;
    tip.style.top = `${scrollY + (at.top > box.height + 4 ? at.top - box.height : at.bottom)}px`;
  };

  document.addEventListener("pointerover", ({target}) => {
    const mark = target.closest("[data-value]");
    // The pointer may go onto the value itself, to select it.
    if (mark) show(mark); else if (!tip.contains(target)) hide();
  });
  document.addEventListener("keydown", event => { if (event.key === "Escape") hide(); });

  const STEPS = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
  const stepped = chart => {
    // A dot and its range tell the same: one step.
    const all = [...chart.querySelectorAll("[data-value]")];
    const marks = all.filter((mark, n) => mark.dataset.value !== all[n - 1]?.dataset.value);
    if (!marks.length) return;
    // The chart keeps its name, but shows it beside no value.
    const title = chart.querySelector("title");
    chart.setAttribute("aria-label", title.textContent);
    title.remove();
    let now = -1;
    chart.tabIndex = 0;
    chart.addEventListener("keydown", event => {
      const way = STEPS[event.key];
      if (!way) return;
      event.preventDefault();
      now = now < 0 ? 0 : (now + way + marks.length) % marks.length;
      show(marks[now]);
      status.textContent = marks[now].dataset.value;
    });
    chart.addEventListener("blur", () => { now = -1; hide(); });
  };

  // Those in tables stand beside their numbers.
  document.querySelectorAll("main svg").forEach(chart => { if (!chart.closest("td")) stepped(chart); });
}
