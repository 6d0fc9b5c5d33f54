// What the page says of itself: saved or not, a notice, and for screen readers what was chosen.
"use strict";

const states = (() => {
  const says = JSON.parse(document.body.dataset.says);
  const state = document.getElementById("state");
  const notice = document.getElementById("notice");
  const spoken = document.getElementById("spoken");
  const arrived = document.getElementById("arrived");
  const progress = document.querySelector(".bar progress");

  function tell(text, kind = "") {
    state.textContent = text;
    state.dataset.kind = kind;
  }

  function warn(text) {
    notice.textContent = text;
    notice.hidden = !text;
  }

  // What the server counts, once it has acknowledged something.
  function count(bar, open) {
    if (!progress || !bar) return;
    [progress.max, progress.value, progress.dataset.open] = [bar.total, bar.done, open];
    progress.setAttribute("aria-label", bar.progress);
    document.querySelector(".bar .progress b").textContent = bar.progress;
    for (const one of document.querySelectorAll(".bar .left")) one.textContent = bar.left;
    for (const one of document.querySelectorAll(".bar .goal")) one.textContent = bar.goal;
  }

  // An item that takes the place of another moves no focus that a screen reader would follow. It is told once
  // all else is done, and anew where an item was put off and the number has stayed the same.
  function tellNumber() {
    const number = Math.min(progress.max - progress.dataset.open + queue.unsent() + 1, progress.max);
    arrived.textContent = "";
    arrived.textContent = says.item_shown.replace("{number}", number).replace("{total}", progress.max);
  }

  pages.onItem(({ body, swapped }) => { if (swapped && progress && !body.dataset.again) queueMicrotask(tellNumber); });

  return { says, tell, warn, count, speak: (text) => { spoken.textContent = text; } };
})();
