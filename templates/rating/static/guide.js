// What can be opened beside an item: the guide, comment and flag, and the help with all keys.
"use strict";

const guide = (() => {
  const OPEN = "ocrjury.guide";
  let box = null;
  let used = 0;

  pages.onItem(() => {
    box = document.getElementById("guide");
    used = 0;
    box.addEventListener("toggle", () => {
      used += box.open ? 1 : 0;
      localStorage.setItem(OPEN, box.open ? "open" : "");
    });
    box.open = localStorage.getItem(OPEN) === "open";
  });

  return { used: () => used };
})();

const help = (() => {
  const box = document.getElementById("help");
  const show = () => box.showModal();
  pages.onItem(() => document.getElementById("help-button").addEventListener("click", show));
  return { show, open: () => box.open };
})();

const boxes = (() => {
  const INSIDE = { "comment-box": "textarea", "flag-box": "input:checked" };
  const enter = (box) => box.querySelector(INSIDE[box.id]).focus();

  function toggle(id) {
    const box = document.getElementById(id);
    box.open = !box.open;
    if (box.open) enter(box);
  }

  // Whoever opens one writes there: no letter of a comment is taken for a shortcut.
  function clicked({ currentTarget }) {
    const box = currentTarget.parentElement;
    if (!box.open) requestAnimationFrame(() => { if (box.open) enter(box); });
  }

  pages.onItem(({ main }) => {
    for (const id of Object.keys(INSIDE)) main.querySelector(`#${id} summary`).addEventListener("click", clicked);
  });

  return { toggle };
})();
