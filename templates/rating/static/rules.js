// What the field rules allow: told after the first choice, and asked about once where nobody had time to read it.
"use strict";

const rules = (() => {
  const TO_READ = 1500;
  let limits = {};
  let told = {};
  let asked = new Set();
  let form = null;

  const name = (dimension) => dimension.dataset.name;
  const broken = (dimension) => Number(answers.valueOf(dimension)) > (limits[name(dimension)]?.at_most ?? Infinity);

  function tell() {
    const all = answers.all();
    if (all.every((one) => answers.valueOf(one) === "")) return;
    differences.noneDiffers();
    const box = document.getElementById("computed");
    const sentences = [...new Set(Object.values(limits).map((one) => one.says))];
    if (box && box.childElementCount !== sentences.length) {
      box.replaceChildren(...sentences.map((one) => Object.assign(document.createElement("li"), { textContent: one })));
    }
    for (const one of all) {
      if (!broken(one)) delete told[name(one)];
      else {
        one.querySelector(".note").textContent = limits[name(one)].says;
        told[name(one)] ??= performance.now();
      }
    }
  }

  const soon = (dimension) => performance.now() - (told[name(dimension)] ?? 0) < TO_READ && !asked.has(name(dimension));

  // Whether a hand-in has to wait for an answer.
  function asks() {
    const untold = answers.all().filter((one) => broken(one) && soon(one));
    if (!untold.length) return false;
    for (const one of untold) asked.add(name(one));
    const lines = untold.map((one) => `${one.querySelector("legend").textContent}: ${limits[name(one)].says}`);
    handing.complain([...new Set(lines), form.dataset.ask].join("\n"));
    answers.focusOn(untold[0]);
    return true;
  }

  pages.onShown(({ main }) => {
    form = main.querySelector("#rate");
    limits = JSON.parse(form.dataset.limits);
    [told, asked] = [{}, new Set()];
    // The note of a choice is emptied first by whatever the choice sets going.
    for (const one of answers.all()) one.addEventListener("shown", () => queueMicrotask(tell));
    tell();
    // What was chosen before this page was told of where it was chosen.
    for (const one of Object.keys(told)) told[one] = -TO_READ;
  });

  return { asks, told: () => Object.keys(told) };
})();
