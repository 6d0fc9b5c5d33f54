// Time at work: the page is seen, and was touched lately. After long work a break is suggested.
"use strict";

const work = (() => {
  const LATER = "ocrjury.later";
  let page = document.body.dataset;
  let active = 0;
  let breaks = 0;
  let due = Infinity;
  let touched = performance.now();
  let before = performance.now();

  for (const kind of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"]) {
    addEventListener(kind, () => { touched = performance.now(); }, { passive: true, capture: true });
  }

  function count() {
    const now = performance.now();
    if (document.visibilityState === "visible" && now - touched < 1000 * page.idle) active += Math.min(now - before, 2000);
    before = now;
  }

  function tick() {
    count();
    const pause = document.getElementById("break");
    if (performance.now() / 1000 < due || !pause.hidden) return;
    breaks += 1;
    pause.hidden = false;
  }
  setInterval(tick, 1000);

  function answered(event) {
    const what = event.target.dataset.break;
    if (what === "take") handing.go(pages.at("/pause"));
    if (what === "later") {
      due = performance.now() / 1000 + 600;
      sessionStorage.setItem(LATER, String(Date.now() + 600000));
      document.getElementById("break").hidden = true;
    }
  }
  document.getElementById("break").addEventListener("click", answered);

  const began = performance.now() / 1000 - Number(page.work);
  const mustRest = () => page.stop > 0 && performance.now() / 1000 - began >= page.stop;

  function sofar() {
    count();
    return Math.min(Math.round(active), 600000);
  }

  pages.onShown(({ body, swapped }) => {
    page = body.dataset;
    [active, breaks] = [Number(page.active || 0), 0];
    before = performance.now();
    if (swapped) return;
    due = performance.now() / 1000 + Number(page.break) - Number(page.work);
    // What was put off on one item stays put off on the next.
    const later = Number(sessionStorage.getItem(LATER));
    if (later) due = Math.max(due, performance.now() / 1000 + (later - Date.now()) / 1000);
  });

  return { mustRest, active: sofar, breaks: () => breaks };
})();
