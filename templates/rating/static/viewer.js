// The page image: place or whole page, zoom, drag, turn.
"use strict";

const viewer = (() => {
  const LOWEST = 0.5;
  const HIGHEST = 4;
  let stage = null;
  let picture = null;
  let sources = {};
  let used = {};
  let view = "none";
  let loaded = "";
  let kept = null;
  let absent = null;
  let hasBoth = false;
  let [scale, x, y, turn] = [1, 0, 0, 0];
  document.documentElement.classList.add("script");

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
    if (!stage) return;
    used.zoom += 1;
    if (how === "rotate") turn = (turn + 90) % 360;
    else if (how === "fit") [scale, x, y, turn] = [1, 0, 0, 0];
    else closer(how === "in" ? 1.25 : 0.8);
    draw();
  }

  // What is in the middle stays there; from the whole page, the way in is to the place that is rated.
  function closer(times) {
    const before = scale;
    scale = Math.min(Math.max(scale * times, LOWEST), HIGHEST);
    if (Math.abs(scale - 1) < 0.02) scale = 1;
    if (before <= 1 && scale > 1 && view === "page" && picture.dataset.focus) return centre();
    [x, y] = [(x * scale) / before, (y * scale) / before];
    return null;
  }

  function centre() {
    const [across, down] = picture.dataset.focus.split(" ").map(Number);
    const fit = Math.min(picture.clientWidth / picture.naturalWidth, picture.clientHeight / picture.naturalHeight);
    x = (0.5 - across) * picture.naturalWidth * fit * scale;
    y = (0.5 - down) * picture.naturalHeight * fit * scale;
  }

  function show(wanted) {
    if (wanted === view) return;
    view = wanted;
    picture.src = sources[view];
    stage.dataset.view = view;
    [scale, x, y, turn] = [1, 0, 0, 0];
    draw();
    for (const one of document.querySelectorAll("[data-view][aria-pressed]")) {
      one.setAttribute("aria-pressed", String(one.dataset.view === view));
    }
  }

  function tellAbsent(text) {
    absent.textContent = text;
    absent.hidden = !text;
  }

  // Without a connection the other view does not come: what was loaded stays.
  function failed() {
    const back = loaded !== "" && loaded !== view;
    stage.hidden = !back;
    tellAbsent(loaded || !navigator.onLine ? absent.dataset.away : absent.dataset.none);
    if (back) show(loaded);
  }

  // Only now is it a view of the page. A browser forgets an image that no element holds.
  function came() {
    if (loaded !== view || stage.hidden) tellAbsent("");
    used.page += view === "page" && loaded === "crop" ? 1 : 0;
    [loaded, kept] = [view, picture.cloneNode()];
    stage.hidden = false;
  }

  // An image that was fetched ahead may have come, or failed, before anybody listened.
  function begin() {
    [picture.onload, picture.onerror] = [came, failed];
    if (picture.complete && picture.naturalWidth) came();
    else if (picture.complete) again();
  }

  const again = () => { picture.src = sources[view]; };
  addEventListener("online", () => { if (stage?.hidden) again(); });

  function listenToButtons(main) {
    for (const one of main.querySelectorAll("[data-zoom]")) {
      one.addEventListener("click", () => zoom(one.dataset.zoom));
    }
    for (const one of main.querySelectorAll("button[data-view]")) {
      one.addEventListener("click", () => show(one.dataset.view));
    }
  }

  function listenToHands() {
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
    stage.addEventListener("keydown", moved);
  }

  function moved(event) {
    const step = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
    if (!step || scale <= 1) return;
    event.preventDefault();
    event.stopPropagation();
    [x, y] = [x + step[0], y + step[1]];
    draw();
  }

  pages.onShown(({ main }) => {
    stage = main.querySelector("#stage");
    picture = main.querySelector("#picture");
    used = { zoom: 0, page: 0 };
    [scale, x, y, turn] = [1, 0, 0, 0];
    view = "none";
    hasBoth = main.querySelector("button[data-view]") !== null;
    if (!stage) return;
    absent = main.querySelector("#absent");
    [loaded, kept] = ["", null];
    const [address] = picture.src.split(/(?:crop|page)$/);
    sources = { crop: `${address}crop`, page: `${address}page` };
    view = picture.src.endsWith("crop") ? "crop" : "page";
    stage.dataset.view = view;
    listenToButtons(main);
    listenToHands();
    // An item that comes back after it was handed in was perhaps zoomed.
    draw();
    begin();
  });

  return { zoom, used: () => used, seen: () => loaded || "none", toggle: () => hasBoth && show(view === "crop" ? "page" : "crop") };
})();
