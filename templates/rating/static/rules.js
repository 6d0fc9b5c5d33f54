// What the field rules allow: told after the first choice, and asked about once where nobody had time to read it.
"use strict";

const rules = (() => {
  const TO_READ = 1500;
  const TINY = 1e-6;
  let limits = {};
  let told = {};
  let asked = new Set();
  let form = null;

  const name = (dimension) => dimension.dataset.name;
  const broken = (dimension) => Number(answers.valueOf(dimension)) > (limits[name(dimension)]?.at_most ?? Infinity);

  // One sentence where all are the same; else each with what it is about.
  function computed(limited) {
    const alone = new Set(limited.map((one) => limits[name(one)].says)).size === 1;
    return limited.map((one) => sentence(one, alone)).filter((one, place, all) => all.indexOf(one) === place);
  }

  const sentence = (one, alone) => (alone ? "" : `${one.querySelector("legend").textContent}: `) + limits[name(one)].says;

  function tell() {
    const all = answers.all();
    if (all.every((one) => answers.valueOf(one) === "")) return;
    differences.noneDiffers();
    const box = document.getElementById("computed");
    const sentences = computed(all.filter((one) => limits[name(one)]));
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
    handing.complain([...untold.map((one) => sentence(one, false)), form.dataset.ask].join("\n"));
    answers.focusOn(untold[0]);
    return true;
  }

  // What the server computed of values that were chosen, of texts too long to be compared beforehand.
  function learn(notes) {
    for (const one of answers.all()) {
      const says = notes[name(one)];
      const value = Number(answers.valueOf(one));
      if (says && !broken(one)) limits[name(one)] = { at_most: value - TINY, says };
    }
    tell();
  }

  pages.onItem(({ main }) => {
    form = main.querySelector("#rate");
    limits = JSON.parse(form.dataset.limits);
    [told, asked] = [{}, new Set()];
    // The note of a choice is emptied first by whatever the choice sets going.
    for (const one of answers.all()) one.addEventListener("shown", () => queueMicrotask(tell));
    tell();
    // What was chosen before this page was told of where it was chosen.
    for (const one of Object.keys(told)) told[one] = -TO_READ;
  });

  return { asks, learn, told: () => Object.keys(told) };
})();
