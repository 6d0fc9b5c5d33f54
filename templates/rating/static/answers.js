// What is chosen on a page: read it, set it, take the last choice back. The current stop gets the digits.
"use strict";

const answers = (() => {
  let dimensions = [];
  let stops = [];
  let form = null;
  let history = [];
  let at = null;

  const field = (dimension) => dimension.querySelector(".number input");
  const checked = (stop) => stop.querySelector("input[type=radio]:checked");
  const firstOpen = () => dimensions.find((one) => valueOf(one) === "") ?? null;
  // A number that the scale does not have.
  const isOutside = (dimension) => field(dimension)?.validity.valid === false;
  const outside = () => dimensions.find(isOutside) ?? null;
  const isComplete = () => stops.every((one) => valueOf(one) !== "");

  function valueOf(stop) {
    const number = field(stop);
    const excuse = stop.querySelector(".excuse input");
    if (number && !(excuse && excuse.checked)) return number.value;
    return checked(stop)?.value ?? "";
  }

  function setValue(stop, value) {
    const number = field(stop);
    for (const one of stop.querySelectorAll("input[type=radio]")) one.checked = one.value === value;
    if (number) number.value = value === "cannot_judge" ? "" : value;
    show(stop);
  }

  function chosen() {
    const values = {};
    const flags = {};
    for (const one of dimensions) {
      const value = valueOf(one);
      if (value === "cannot_judge") flags[one.dataset.name] = value;
      else if (value !== "" && !isOutside(one)) values[one.dataset.name] = Number(value);
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

  function show(stop) {
    const said = stop.querySelector(".chosen");
    if (said) said.textContent = checked(stop)?.closest("label").querySelector(".anchor")?.textContent ?? "";
    stop.dataset.before = valueOf(stop);
    stop.dispatchEvent(new Event("shown"));
  }

  // A key moves no focus, so a screen reader is told what it chose.
  function announce(stop) {
    const level = [...checked(stop)?.closest("label").children ?? []].map((one) => one.textContent).join(" ").trim();
    states.speak(`${stop.querySelector("legend").textContent.trim()}: ${level}`);
  }

  function focusOn(stop) {
    at = stop;
    for (const one of stops) one.classList.toggle("current", one === at);
    makeRoom();
    at.scrollIntoView({ block: "nearest" });
  }

  // On a telephone the texts stay above and the way on stays below: nothing ends under them.
  function makeRoom() {
    const { style } = document.documentElement;
    const [texts, send] = [document.getElementById("texts"), form.querySelector(".send")];
    const stays = (part, how) => part && getComputedStyle(part).position === how;
    style.scrollPaddingTop = stays(texts, "sticky") ? `${parseFloat(getComputedStyle(texts).top) + texts.offsetHeight + 4}px` : "";
    const below = stays(send, "fixed") ? `${send.offsetHeight + 4}px` : "";
    style.scrollPaddingBottom = below;
    style.setProperty("--below", below);
  }

  const toFirstOpen = () => focusOn(stops.find((one) => valueOf(one) === "") ?? stops[0]);

  function took(stop, former) {
    history.push([stops.indexOf(stop), former]);
    saving.changed(dimensions.includes(stop) ? stop : null);
    focusOn(stops.find((one) => valueOf(one) === "") ?? stop);
    if (keys.auto() && isComplete() && !document.body.dataset.changing) handing.handInByItself();
  }

  function choose(stop, value) {
    const former = valueOf(stop);
    setValue(stop, value);
    announce(stop);
    took(stop, former);
  }

  function undo() {
    const last = history.pop();
    if (!last) {
      if (!handing.takeBack()) document.getElementById("previous")?.click();
      return;
    }
    const stop = stops[last[0]];
    setValue(stop, last[1]);
    announce(stop);
    saving.changed(dimensions.includes(stop) ? stop : null);
    focusOn(stop);
  }

  function excuse() {
    if (at.querySelector(".excuse")) choose(at, "cannot_judge");
  }

  function flag(reason) {
    reason?.focus();
    reason?.click();
  }

  const levelOf = (key) => at.querySelector(`.level input[data-key="${key}"]`);

  // In an opened flag box digits count its reasons; elsewhere they are levels of the current stop.
  function level(key) {
    const reasons = document.activeElement?.closest("#flag-box");
    if (reasons) return flag(reasons.querySelectorAll("input")[key - 1]);
    const found = dimensions.includes(at) ? levelOf(key) : at.querySelectorAll("input")[key - 1];
    if (found) choose(at, found.value);
    else if (key === "0") excuse();
    return null;
  }

  // The browser has set the value already; what was there before is what is answered so far.
  function changed(event) {
    const stop = event.target.closest(".dimension, .sure, .why");
    if (!stop) return saving.changed(null);
    const former = stop.dataset.before || "";
    show(stop);
    return took(stop, former);
  }

  pages.onItem(({ body, main }) => {
    form = document.getElementById("rate");
    dimensions = [...main.querySelectorAll(".dimension")];
    stops = [...main.querySelectorAll(".why, .dimension, .sure")];
    history = JSON.parse(body.dataset.history || "[]");
    form.addEventListener("change", changed);
    // Whoever goes through the form with Tab rates where the focus is.
    form.addEventListener("focusin", (event) => {
      const stop = event.target.closest(".dimension, .sure, .why");
      if (stop && stop !== at) focusOn(stop);
    });
    for (const one of dimensions) one.classList.toggle("bare", one.querySelector(".levels .anchor:not(:empty)") === null);
    stops.forEach(show);
    toFirstOpen();
  });

  return {
    chosen, restore, valueOf, field, firstOpen, outside, focusOn, makeRoom, toFirstOpen, undo, excuse, level,
    history: () => JSON.stringify(history),
    all: () => dimensions,
    current: () => at,
    has: (key) => levelOf(key) !== null,
    step: (by) => focusOn(stops[Math.min(Math.max(stops.indexOf(at) + by, 0), stops.length - 1)]),
  };
})();
