// A page that follows what happens: it asks for itself anew, and takes the parts that changed.
// A part in which somebody types, chooses or selects stays as it is. A hidden page does not ask.
"use strict";

(() => {
  const main = document.querySelector("main[data-pulse]");
  const note = document.getElementById("live-note");
  if (!main || !note) return;
  const EVERY = Number(main.dataset.every), LONGEST = 12 * EVERY;
  let wait = EVERY, timer = 0, asking = false, ended = false;

  const say = (name) => {
    const text = name ? note.dataset[name] : "";
    if (note.textContent !== text) note.textContent = text;
    note.hidden = !text;
  };

  function inUse(part) {
    if (part.contains(document.activeElement)) return true;
    const chosen = getSelection();
    if (chosen && !chosen.isCollapsed && chosen.containsNode(part, true)) return true;
    if (part.querySelector("details[open]")) return true;
    return [...part.querySelectorAll("input, textarea, select")].some((field) =>
      field.type === "checkbox" ? field.checked !== field.defaultChecked : "defaultValue" in field && field.value !== field.defaultValue);
  }

  function exchange(part, next) {
    const places = [...part.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
    part.replaceChildren(...next.childNodes);
    [...part.querySelectorAll(".scroll")].forEach((box, number) => { box.scrollLeft = places[number] || 0; });
  }

  const latest = new Map();
  function take(page) {
    let late = false;
    for (const part of main.querySelectorAll("[data-live]")) {
      const next = page.getElementById(part.id);
      if (!next) continue;
      if (!latest.has(part.id)) latest.set(part.id, part.innerHTML);
      if (latest.get(part.id) === next.innerHTML) continue;
      if (inUse(part)) { late = true; continue; }
      latest.set(part.id, next.innerHTML);
      exchange(part, next);
    }
    return late;
  }

  async function ask() {
    asking = true;
    try {
      const answer = await fetch(location.href, {
        cache: "no-store", headers: { "If-None-Match": main.dataset.pulse, "X-Watching": "1" }, signal: AbortSignal.timeout(20000),
      });
      if (answer.redirected || answer.status === 401) { ended = true; say("ended"); return; }
      if (answer.status === 200) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.querySelector("main[data-pulse]");
        if (!fresh) throw new Error("another page");
        const late = take(page);
        // What waits for a form to be left is asked for again.
        if (!late) main.dataset.pulse = fresh.dataset.pulse;
        say(late ? "late" : "");
      } else if (answer.status === 304) say("");
      else throw new Error(String(answer.status));
      wait = EVERY;
    } catch {
      wait = Math.min(wait * 2, LONGEST);
      say("lost");
    } finally {
      asking = false;
      plan();
    }
  }

  function plan() {
    clearTimeout(timer);
    if (!ended && !document.hidden) timer = setTimeout(ask, wait);
  }

  function now() {
    clearTimeout(timer);
    if (!asking && !ended && !document.hidden) ask();
  }

  document.addEventListener("visibilitychange", now);
  addEventListener("online", now);
  plan();
})();
