// The texts of an item, with their differences marked or not.
"use strict";

const texts = (() => {
  let box = null;
  let button = null;
  let used = 0;
  const SIGN = /⏎(?=\n)|␣|⇥/g;
  const PLAIN = { "⏎": "", "␣": " ", "⇥": "\t" };

  const leaves = (part) => (part.childElementCount ? [...part.querySelectorAll(":not(:has(*))")] : [part]);

  // Where differences are not shown, nothing tells of them: no sign, no title, no role.
  function mark(shown) {
    for (const part of box.querySelectorAll("ins, del, mark")) {
      part.dataset.title ??= part.title;
      part.title = shown ? part.dataset.title : "";
      if (shown) part.removeAttribute("role");
      else part.setAttribute("role", "none");
      for (const leaf of leaves(part).filter((one) => one.textContent.match(SIGN) || one.dataset.signed)) {
        leaf.dataset.signed ??= leaf.textContent;
        leaf.textContent = shown ? leaf.dataset.signed : leaf.dataset.signed.replace(SIGN, (sign) => PLAIN[sign]);
      }
    }
  }

  function toggle() {
    if (!button) return;
    const shown = box.dataset.diff !== "shown";
    box.dataset.diff = shown ? "shown" : "hidden";
    mark(shown);
    button.setAttribute("aria-pressed", String(shown));
    used += 1;
  }

  pages.onShown(({ main }) => {
    box = main.querySelector("#texts");
    button = main.querySelector("#diff-button");
    used = 0;
    if (button) button.addEventListener("click", toggle);
    if (box.dataset.diff !== "shown") mark(false);
  });

  const diff = () => (button || box.querySelector("ins, del, mark") ? box.dataset.diff : "hidden");
  return { toggle, diff, used: () => used };
})();
