// The keys of a practice result: Enter goes on, the image and the texts as on an item.
"use strict";

const PRACTICE = {
  Enter: () => document.getElementById("next").click(),
  KeyG: () => { const guide = document.getElementById("guide"); guide.open = !guide.open; },
  KeyD: () => texts.toggle(),
  KeyP: () => viewer.toggle(),
  KeyR: () => viewer.zoom("rotate"),
  "+": () => viewer.zoom("in"),
  "=": () => viewer.zoom("in"),
  "-": () => viewer.zoom("out"),
};

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (localStorage.getItem("ocrjury.keys") === "off" || event.target.matches("button, a, summary, input")) return;
  const act = PRACTICE[event.key] || PRACTICE[event.code];
  if (!act) return;
  event.preventDefault();
  act();
});
