// What the page says of itself: saved or not, a notice, and for screen readers what was chosen.
"use strict";

const states = (() => {
  const says = JSON.parse(document.body.dataset.says);
  const state = document.getElementById("state");
  const notice = document.getElementById("notice");
  const spoken = document.getElementById("spoken");

  function tell(text, kind = "") {
    state.textContent = text;
    state.dataset.kind = kind;
  }

  function warn(text) {
    notice.textContent = text;
    notice.hidden = !text;
  }

  // What the server counts, once it has acknowledged something.
  function count(bar) {
    const progress = document.querySelector(".bar progress");
    if (!progress || !bar) return;
    [progress.max, progress.value] = [bar.total, bar.done];
    progress.setAttribute("aria-label", bar.progress);
    document.querySelector(".bar .progress b").textContent = bar.progress;
    for (const one of document.querySelectorAll(".bar .left")) one.textContent = bar.left;
    for (const one of document.querySelectorAll(".bar .goal")) one.textContent = bar.goal;
  }

  return { says, tell, warn, count, speak: (text) => { spoken.textContent = text; } };
})();
