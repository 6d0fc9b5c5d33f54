// The keys of what is looked at: differences, lines, detail or whole page, zoom, guide.
"use strict";

const reading = (() => {
  function openGuide() {
    const guide = document.getElementById("guide");
    guide.open = !guide.open;
    if (guide.open) guide.scrollIntoView({ block: "nearest" });
  }

  // Letters by their place on the keyboard, so that Korean and Chinese input methods do not matter.
  const KEYS = {
    KeyD: () => texts.toggle(),
    KeyJ: (event) => differences.show(event.shiftKey ? -1 : 1),
    KeyB: () => differences.toggleLines(),
    KeyP: () => viewer.toggle(),
    KeyR: () => viewer.zoom("rotate"),
    KeyG: openGuide,
    "+": () => viewer.zoom("in"),
    "=": () => viewer.zoom("in"),
    "-": () => viewer.zoom("out"),
  };

  return { act: (event) => KEYS[event.key] ?? KEYS[event.code] };
})();
