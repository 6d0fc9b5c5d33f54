// What is chosen on a page: read it, set it, take the last choice back.
"use strict";

const answers = (() => {
  let dimensions = [];
  let form = null;
  let history = [];
  let at = 0;

  const field = (dimension) => dimension.querySelector(".number input");
  const checked = (dimension) => dimension.querySelector(".level input:checked, .excuse input:checked");
  const firstOpen = () => dimensions.findIndex((one) => valueOf(one) === "");

  function valueOf(dimension) {
    const number = field(dimension);
    const excuse = dimension.querySelector(".excuse input");
    if (number && !(excuse && excuse.checked)) return number.value;
    return checked(dimension)?.value ?? "";
  }

  function setValue(dimension, value) {
    const number = field(dimension);
    for (const one of dimension.querySelectorAll("input[type=radio]")) one.checked = one.value === value;
    if (number) number.value = value === "cannot_judge" ? "" : value;
    show(dimension);
  }

  function chosen() {
    const values = {};
    const flags = {};
    for (const one of dimensions) {
      const value = valueOf(one);
      if (value === "cannot_judge") flags[one.dataset.name] = value;
      else if (value !== "") values[one.dataset.name] = Number(value);
    }
    const sure = form.querySelector("[name=confidence]:checked");
    return {
      values,
      flags,
      flag: form.querySelector("[name=flag]:checked")?.value || null,
      comment: form.elements.comment.value,
      confidence: sure ? Number(sure.value) : null,
    };
  }

  // Choose again what was chosen before a reload.
  function restore({ values, flags }) {
    for (const one of dimensions) {
      const value = flags[one.dataset.name] || values[one.dataset.name];
      if (value !== undefined) setValue(one, String(value));
    }
  }

  function show(dimension) {
    const one = checked(dimension);
    const anchor = one?.closest("label").querySelector(".anchor");
    dimension.querySelector(".chosen").textContent = anchor ? anchor.textContent : "";
    dimension.dataset.before = valueOf(dimension);
    dimension.dispatchEvent(new Event("shown"));
  }

  function focusOn(place) {
    at = Math.min(Math.max(place, 0), dimensions.length - 1);
    dimensions.forEach((one, number) => one.classList.toggle("current", number === at));
    dimensions[at].scrollIntoView({ block: "nearest" });
  }

  function choose(dimension, value) {
    history.push([dimension, valueOf(dimension)]);
    setValue(dimension, value);
    saving.changed(dimension);
    const next = firstOpen();
    focusOn(next === -1 ? dimensions.length - 1 : next);
  }

  function undo() {
    const last = history.pop();
    if (!last) {
      const previous = document.getElementById("previous");
      if (previous) handing.go(previous.href);
      return;
    }
    setValue(last[0], last[1]);
    saving.changed(last[0]);
    focusOn(dimensions.indexOf(last[0]));
  }

  function excuse() {
    if (dimensions[at].querySelector(".excuse")) choose(dimensions[at], "cannot_judge");
  }

  function level(key) {
    const found = dimensions[at].querySelector(`.level input[data-key="${key}"]`);
    if (found) choose(dimensions[at], found.value);
    else if (key === "0") excuse();
  }

  // The browser has set the value already; what was there before is what is answered so far.
  function clicked(dimension) {
    history.push([dimension, dimension.dataset.before || ""]);
    show(dimension);
    saving.changed(dimension);
    focusOn(dimensions.indexOf(dimension));
  }

  pages.onShown(({ main }) => {
    form = document.getElementById("rate");
    dimensions = [...main.querySelectorAll(".dimension")];
    [history, at] = [[], 0];
    form.addEventListener("change", (event) => {
      const dimension = event.target.closest(".dimension");
      if (dimension) clicked(dimension);
      else saving.changed(null);
    });
    if (main.querySelector(".levels .anchor:not(:empty)") === null) form.classList.add("bare");
    dimensions.forEach(show);
    focusOn(Math.max(firstOpen(), 0));
  });

  return {
    chosen, restore, valueOf, field, firstOpen, focusOn, undo, excuse, level,
    all: () => dimensions,
    current: () => dimensions[at],
    step: (by) => focusOn(at + by),
  };
})();
