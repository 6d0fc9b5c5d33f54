// The result of a practice item: its keys, and the way on to the next item, which is there already.
"use strict";

(() => {
  const next = () => document.getElementById("next").click();

  document.addEventListener("keydown", (event) => {
    if (!document.body.dataset.lesson || event.defaultPrevented || !keys.free(event) || !keys.on()) return;
    if (event.repeat && event.code !== "KeyJ") return;
    if (event.key === "Enter" && (event.target.matches("input") || keys.ownsEnter(event.target))) return;
    const act = event.key === "Enter" ? next : reading.act(event);
    if (!act) return;
    event.preventDefault();
    act(event);
  });

  // The address is that of what is shown, so that loading it again shows the same.
  const name = (path) => history.replaceState(null, "", pages.at(path));

  async function goOn(event) {
    event.preventDefault();
    if (handing.leaving()) return;
    handing.waitForNext();
    const next = work.mustRest() ? null : ahead.ready() ?? await ahead.next();
    if (!next) return void handing.go(pages.at("/rate"));
    handing.showWithKeys(next);
    name("/rate");
  }

  pages.onLesson(({ body, main, swapped }) => {
    main.querySelector("#next").addEventListener("click", goOn);
    if (!swapped) return;
    name(`/${body.dataset.lesson}/${body.dataset.visit}`);
    // As after a load, a screen reader begins with what is new.
    main.focus({ preventScroll: true });
  });
})();
