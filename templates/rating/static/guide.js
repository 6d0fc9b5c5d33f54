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
  const entry = document.getElementById("settings");

  // The button at its end has the focus, and it begins at its top.
  function show() {
    box.showModal();
    box.scrollTop = 0;
  }

  // Where no keys are shown, the menu leads to what else can be set.
  entry.hidden = false;
  entry.addEventListener("click", () => {
    entry.closest(".menu").open = false;
    show();
  });
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
