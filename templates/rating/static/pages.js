// The page that is shown. Every module says what it does with one: `pages.onShown(({ body, main }) => ...)`.
// It is called for the first page and for every page that takes its place without being loaded (`swapped`);
// `pages.onItem` only for items, `pages.onLesson` only for results of practice items.
"use strict";

const pages = (() => {
  const starts = [];
  let begun = false;

  // A browser may hold sessions of several evaluations: the address says which one.
  const at = (path) => `/as/${document.body.dataset.owner}${path}`;

  const shown = (swapped) => ({ body: document.body, main: document.querySelector("main"), swapped });

  function onShown(what) {
    starts.push(what);
    if (begun) what(shown(false));
  }

  const onItem = (what) => onShown((page) => { if (!page.body.dataset.lesson) what(page); });
  const onLesson = (what) => onShown((page) => { if (page.body.dataset.lesson) what(page); });

  // A copy of what is shown, with all that is chosen, and with the image itself: it is loaded already.
  function copy() {
    const { body, main } = shown(true);
    const twin = main.cloneNode(true);
    const picture = main.querySelector("#picture");
    if (picture) twin.querySelector("#picture").replaceWith(picture);
    return { data: { ...body.dataset }, main: twin };
  }

  function show(next) {
    const { body, main } = shown(true);
    const within = main.contains(document.activeElement);
    for (const name of Object.keys(body.dataset)) delete body.dataset[name];
    Object.assign(body.dataset, next.data);
    main.replaceWith(next.main);
    scrollTo(0, 0);
    for (const start of starts) start(shown(true));
    if (within) next.main.focus({ preventScroll: true });
  }

  // All modules are there: the first page begins.
  document.addEventListener("DOMContentLoaded", () => {
    begun = true;
    for (const start of starts) start(shown(false));
  });

  return { at, onShown, onItem, onLesson, copy, show };
})();
