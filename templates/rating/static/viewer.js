// The page image: place or whole page, zoom, drag, turn.
"use strict";

const viewer = (() => {
  const stage = document.getElementById("stage");
  const picture = document.getElementById("picture");
  document.documentElement.classList.add("script");
  if (!stage) return { used: {}, view: () => "none", toggle() {}, zoom() {} };

  const LOWEST = 0.5;
  const HIGHEST = 4;
  const used = { zoom: 0, page: 0 };
  const sources = { crop: picture.src, page: picture.src.replace(/crop$/, "page") };
  let view = picture.src.endsWith("crop") ? "crop" : "page";
  let [scale, x, y, turn] = [1, 0, 0, 0];

  function draw() {
    const room = stage.getBoundingClientRect();
    const far = (size) => Math.max((size * (scale - 0.3)) / 2, size * 0.2);
    x = Math.min(Math.max(x, -far(room.width)), far(room.width));
    y = Math.min(Math.max(y, -far(room.height)), far(room.height));
    picture.style.transform = `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;
    stage.classList.toggle("near", scale > 1);
    document.getElementById("zoom-level").textContent = `${Math.round(scale * 100)} %`;
  }

  function zoom(how) {
    used.zoom += 1;
    if (how === "rotate") turn = (turn + 90) % 360;
    else if (how === "fit") [scale, x, y, turn] = [1, 0, 0, 0];
    else scale = Math.min(Math.max(scale * (how === "in" ? 1.25 : 0.8), LOWEST), HIGHEST);
    if (Math.abs(scale - 1) < 0.02) scale = 1;
    draw();
  }

  function show(wanted) {
    if (wanted === view) return;
    view = wanted;
    used.page += view === "page" ? 1 : 0;
    picture.src = sources[view];
    stage.dataset.view = view;
    [scale, x, y, turn] = [1, 0, 0, 0];
    draw();
    for (const one of document.querySelectorAll("[data-view][aria-pressed]")) {
      one.setAttribute("aria-pressed", String(one.dataset.view === view));
    }
  }

  stage.dataset.view = view;
  picture.addEventListener("error", () => {
    stage.hidden = true;
    document.getElementById("absent").hidden = false;
  });
  for (const one of document.querySelectorAll("[data-zoom]")) {
    one.addEventListener("click", () => zoom(one.dataset.zoom));
  }
  for (const one of document.querySelectorAll("button[data-view]")) {
    one.addEventListener("click", () => show(one.dataset.view));
  }
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? "in" : "out");
  }, { passive: false });
  stage.addEventListener("dblclick", () => zoom(scale > 1 ? "fit" : "in"));

  let from = null;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button || (event.pointerType === "touch" && scale <= 1)) return;
    from = [event.clientX - x, event.clientY - y];
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener("pointermove", (event) => {
    if (!from) return;
    [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    draw();
  });
  for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, () => { from = null; });
  stage.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
    if (!step || scale <= 1) return;
    event.preventDefault();
    event.stopPropagation();
    [x, y] = [x + step[0], y + step[1]];
    draw();
  });

  const hasBoth = document.querySelector("button[data-view]");
  return { used, zoom, view: () => view, toggle: () => hasBoth && show(view === "crop" ? "page" : "crop") };
})();

const texts = document.getElementById("texts");
const diffButton = document.getElementById("diff-button");
function toggleDiff() {
  if (!diffButton) return;
  const shown = texts.dataset.diff !== "shown";
  texts.dataset.diff = shown ? "shown" : "hidden";
  diffButton.setAttribute("aria-pressed", String(shown));
  viewer.used.diff = (viewer.used.diff || 0) + 1;
}
if (diffButton) diffButton.addEventListener("click", toggleDiff);
