// The page that is shown. Every module says what it does with one: `pages.onShown(({ body, main }) => ...)`.
// It is called for the first page and for every page that takes its place without being loaded.
"use strict";

const pages = (() => {
  const starts = [];
  let shown = false;

  const start = (one) => one({ body: document.body, main: document.querySelector("main") });

  function onShown(what) {
    starts.push(what);
    if (shown) start(what);
  }

  // All modules are there: the first page begins.
  document.addEventListener("DOMContentLoaded", () => {
    shown = true;
    starts.forEach(start);
  });

  return { onShown };
})();
