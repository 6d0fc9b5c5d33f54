// The menu closes when something else is pressed, and with Escape.
"use strict";

(() => {
  const menu = document.querySelector(".menu");
  if (!menu) return;

  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
    event.stopPropagation();
  });
})();
