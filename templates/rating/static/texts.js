// The texts of an item, with their differences marked or not.
"use strict";

const texts = (() => {
  let box = null;
  let button = null;
  let used = 0;

  function toggle() {
    if (!button) return;
    const shown = box.dataset.diff !== "shown";
    box.dataset.diff = shown ? "shown" : "hidden";
    button.setAttribute("aria-pressed", String(shown));
    used += 1;
  }

  pages.onShown(({ main }) => {
    box = main.querySelector("#texts");
    button = main.querySelector("#diff-button");
    used = 0;
    if (button) button.addEventListener("click", toggle);
  });

  const diff = () => (button || box.querySelector("ins, del, mark") ? box.dataset.diff : "hidden");
  return { toggle, diff, used: () => used };
})();
