// The pages of the next items, fetched and decoded while the rater works. Nobody has seen them yet.
"use strict";

const ahead = (() => {
  const MOST = 3;
  const AGAIN = 3000;
  // Longer than a page, or its image, takes over a slow line.
  const LIMIT = 10_000;
  let line = [];
  let last = "";
  let ended = false;
  let begun = 0;
  let timer = 0;
  let filling = null;
  let arrived = () => {};

  // A page of other files, such as a newer version of them, has to be loaded.
  const files = (page) => [...page.querySelectorAll("head script, head link")]
    .map((one) => one.getAttribute("src") || one.getAttribute("href"));

  // It is loaded at once, if its files are in the browser already.
  const fetchFiles = (page) => Promise.all(files(page).map((file) => fetch(file, { signal: AbortSignal.timeout(LIMIT) }).catch(() => null)));

  const fetchAfter = (visit) => fetchPage(pages.at(`/rate/ahead?after=${encodeURIComponent(visit)}`));

  async function fetchPage(where) {
    const answer = await fetch(where, { signal: AbortSignal.timeout(LIMIT) });
    if (answer.status !== 200 || answer.redirected) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (files(page).join() !== files(document).join()) {
      await fetchFiles(page);
      return null;
    }
    const main = document.adoptNode(page.querySelector("main"));
    // Where there is no image, or not yet, the page says so once it is shown.
    const image = main.querySelector("#picture")?.decode().catch(() => null);
    await Promise.race([image, new Promise((done) => { setTimeout(done, LIMIT); })]);
    return { data: { ...page.body.dataset }, main };
  }

  async function fill() {
    while (!ended && line.length < MOST) {
      const since = begun;
      const next = await fetchAfter(last).catch(() => undefined);
      // Another page was begun with meanwhile, or what follows was forgotten.
      if (since !== begun) continue;
      // Without a connection, or while the server starts anew.
      if (next === undefined) {
        clearTimeout(timer);
        timer = setTimeout(prepare, AGAIN);
        return;
      }
      if (next === null) ended = true;
      else {
        line.push(next);
        last = next.data.visit;
        arrived();
      }
    }
  }

  function prepare() {
    filling ??= fill().finally(() => {
      filling = null;
      arrived();
    });
  }

  // The next page, once it is there; null where it has to be loaded.
  async function next() {
    if (!line.length && !ended) {
      prepare();
      await new Promise((done) => { arrived = done; });
    }
    return line.shift() ?? null;
  }

  // The page at an address, to be shown at once; null where it has to be loaded.
  const fetched = (where) => fetchPage(where).catch(() => null);

  // The item whose turn it is as the server knows it, where none was there ahead; null where it has to be loaded.
  async function afresh() {
    const page = await fetched(pages.at("/rate"));
    if (page) begin(page.data);
    return page;
  }

  function begin({ visit, follows }) {
    begun += 1;
    line = [];
    last = visit;
    ended = !follows;
  }

  // Something was put off: it follows what came last.
  function again() {
    if (!document.body.dataset.follows) return;
    ended = false;
    prepare();
  }

  function forget() {
    begun += 1;
    line = [];
    ended = true;
  }

  addEventListener("online", () => prepare());
  pages.onShown(({ body, swapped }) => {
    if (!swapped) begin(body.dataset);
    // The item at hand comes first: its image is not slowed by those of the next.
    const soon = () => setTimeout(prepare, 0);
    if (document.readyState === "complete") soon();
    else addEventListener("load", soon, { once: true });
  });

  return { ready: () => line.shift() ?? null, next, fetched, afresh, again, forget, putBack: (page) => line.unshift(page), count: () => line.length };
})();
