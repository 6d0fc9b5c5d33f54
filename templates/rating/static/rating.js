// The outputs of a rating page: choose by key or click, save by itself, hand in, go on.
"use strict";

const page = document.body.dataset;
const form = document.getElementById("rate");
const dimensions = [...form.querySelectorAll(".dimension")];
const problem = document.getElementById("problem");
const comment = document.getElementById("comment");
const counts = { guide: 0, changes: 0, breaks: 0 };
const history_ = [];
let rev = Number(page.rev);
let at = 0;
let leaving = false;

/* What is chosen */

const field = (dimension) => dimension.querySelector(".number input");
const checked = (dimension) => dimension.querySelector(".level input:checked, .excuse input:checked");

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
    comment: comment.value,
    confidence: sure ? Number(sure.value) : null,
  };
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
  history_.push([dimension, valueOf(dimension)]);
  setValue(dimension, value);
  changed(dimension);
  const next = dimensions.findIndex((one) => valueOf(one) === "");
  focusOn(next === -1 ? dimensions.length - 1 : next);
}

function undo() {
  const last = history_.pop();
  if (!last) {
    const previous = document.getElementById("previous");
    if (previous) go(previous.href);
    return;
  }
  setValue(last[0], last[1]);
  changed(last[0]);
  focusOn(dimensions.indexOf(last[0]));
}

/* Saving */

let timer = 0;
function changed(dimension) {
  counts.changes += 1;
  problem.hidden = true;
  if (dimension) dimension.querySelector(".note").textContent = "";
  clearTimeout(timer);
  timer = setTimeout(save, 250);
  remember();
}

// Until it is saved, a reload or a lost connection must not lose it.
function remember() {
  const { comment: _, ...kept } = chosen();
  try { localStorage.setItem(`${sending.KEY}.${page.visit}`, JSON.stringify(kept)); } catch { /* no room */ }
}

async function save() {
  if (leaving) return;
  sending.tell(sending.says.saving);
  const answer = await sending.send(() => leaving ? null : ({
    method: "PUT",
    to: `/api/drafts/${page.visit}`,
    body: { event_id: sending.newId(), base: rev, outputs: Number(page.outputs), ...chosen() },
  }));
  if (!answer) return;
  if (answer.status === 200) {
    rev = answer.body.rev;
    localStorage.removeItem(`${sending.KEY}.${page.visit}`);
    sending.tell(sending.says.saved, "good");
    for (const one of dimensions) one.querySelector(".note").textContent = answer.body.notes[one.dataset.name] || "";
  } else refused(answer);
}

async function handIn() {
  if (leaving) return;
  const now = chosen();
  const open = dimensions.find((one) => valueOf(one) === "");
  if (open && !now.flag) {
    complain(sending.says.incomplete);
    focusOn(dimensions.indexOf(open));
    return;
  }
  await deliver({
    event_id: form.elements.event_id.value,
    rubric_hash: page.rubric,
    outputs: Number(page.outputs),
    ...now,
    category: form.querySelector("[name=category]:checked")?.value || null,
    active_ms: Math.min(Math.round(active), 600000),
    conditions: conditions(),
  });
}

async function deliver(body) {
  leaving = true;
  clearTimeout(timer);
  form.classList.add("leaving");
  sending.tell(sending.says.saving);
  const answer = await sending.send(() => ({ method: "POST", to: page.to, body: { ...body, base: rev } }));
  if (answer.status === 200) {
    localStorage.removeItem(`${sending.KEY}.${page.visit}`);
    location.assign(answer.body.next);
    return;
  }
  leaving = false;
  form.classList.remove("leaving");
  form.elements.event_id.value = sending.newId();
  refused(answer);
}

function conditions() {
  const used = viewer.used;
  const top = (number) => Math.min(number || 0, 10000);
  return {
    diff: diffButton || texts.querySelector("ins, del, mark") ? texts.dataset.diff : "hidden",
    reference: page.reference,
    view: viewer.view(),
    diff_used: top(used.diff),
    zoom_used: top(used.zoom),
    page_used: top(used.page),
    guide_used: top(counts.guide),
    changes: top(counts.changes),
    breaks: top(counts.breaks),
    script: true,
  };
}

function refused({ status, body }) {
  sending.tell("");
  if (status === 401) return sending.warn(sending.says.signed_out);
  if (status === 409) {
    sending.warn(`${body.error.message} ${sending.says.reloaded}`);
    localStorage.removeItem(`${sending.KEY}.${page.visit}`);
    leaving = true;
    setTimeout(() => location.assign("/rate"), 1500);
    return null;
  }
  return complain(body.error ? body.error.message : sending.says.trouble);
}

function complain(text) {
  problem.textContent = text;
  problem.hidden = false;
}

function go(where) {
  leaving = true;
  location.assign(where);
}

/* Time at work: seen, and touched lately */

let active = 0;
let touched = performance.now();
let before = performance.now();
for (const kind of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"]) {
  addEventListener(kind, () => { touched = performance.now(); }, { passive: true, capture: true });
}
setInterval(() => {
  const now = performance.now();
  if (document.visibilityState === "visible" && now - touched < 1000 * page.idle) active += Math.min(now - before, 2000);
  before = now;
  minute(now / 1000);
}, 1000);

const pause = document.getElementById("break");
// What was put off on one item stays put off on the next.
let due = Number(page.break) - Number(page.work);
const later = Number(sessionStorage.getItem("ocrjury.later"));
if (later) due = Math.max(due, (later - Date.now()) / 1000);
function minute(seconds) {
  if (seconds < due || !pause.hidden) return;
  counts.breaks += 1;
  pause.hidden = false;
}
pause.addEventListener("click", (event) => {
  const what = event.target.dataset.break;
  if (what === "take") go("/pause");
  if (what === "later") {
    due = performance.now() / 1000 + 600;
    sessionStorage.setItem("ocrjury.later", String(Date.now() + 600000));
    pause.hidden = true;
  }
});

/* Keys */

const useKeys = document.getElementById("use-keys");
useKeys.checked = localStorage.getItem("ocrjury.keys") !== "off";
useKeys.addEventListener("change", () => {
  localStorage.setItem("ocrjury.keys", useKeys.checked ? "on" : "off");
  document.documentElement.classList.toggle("no-keys", !useKeys.checked);
});
document.documentElement.classList.toggle("no-keys", !useKeys.checked);

const help = document.getElementById("help");
const guide = document.getElementById("guide");
const open = (id, inside) => {
  const box = document.getElementById(id);
  box.open = !box.open;
  if (box.open) box.querySelector(inside).focus();
};
// Letters by their place on the keyboard, so that Korean and Chinese input methods do not matter.
const LETTERS = {
  KeyU: undo,
  KeyD: () => toggleDiff(),
  KeyG: () => { guide.open = !guide.open; if (guide.open) guide.scrollIntoView({ block: "nearest" }); },
  KeyF: () => open("flag-box", "input:checked"),
  KeyC: () => open("comment-box", "textarea"),
  KeyP: () => viewer.toggle(),
  KeyN: () => excuse(),
  KeyR: () => viewer.zoom("rotate"),
};
const SIGNS = {
  "+": () => viewer.zoom("in"),
  "=": () => viewer.zoom("in"),
  "-": () => viewer.zoom("out"),
  "?": () => help.showModal(),
  ArrowDown: () => focusOn(at + 1),
  ArrowUp: () => focusOn(at - 1),
  Enter: () => handIn(),
};

function excuse() {
  if (dimensions[at].querySelector(".excuse")) choose(dimensions[at], "cannot_judge");
}

function level(key) {
  const found = dimensions[at].querySelector(`.level input[data-key="${key}"]`);
  if (found) choose(dimensions[at], found.value);
  else if (key === "0") excuse();
}

const sliding = (target, key) => target.matches(".slider input") && /^(Arrow|Home|End|Page)/.test(key);
const writing = (target) => target.matches("textarea, input[type=number], input[type=text], select");

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.key === "Escape") return void document.activeElement.blur();
  if (writing(event.target) || sliding(event.target, event.key) || !useKeys.checked) return;
  // A digit begins a number where a number is asked for.
  const number = /^[0-9]$/.test(event.key) && field(dimensions[at]);
  if (number) {
    number.focus();
    return void number.select();
  }
  if (event.key === "Enter" && event.target.matches("button, a, summary")) return;
  if (event.key.startsWith("Arrow") && event.target.matches("input[type=radio]") && event.target.closest(".choice, .sure")) return;
  const act = /^[0-9]$/.test(event.key) ? () => level(event.key) : SIGNS[event.key] || LETTERS[event.code];
  if (!act) return;
  event.preventDefault();
  act();
});

/* Begin */

form.addEventListener("submit", (event) => { event.preventDefault(); handIn(); });
form.addEventListener("change", (event) => {
  const dimension = event.target.closest(".dimension");
  if (!dimension) return changed(null);
  // The browser has set the value already; what was there before is what is answered so far.
  history_.push([dimension, dimension.dataset.before || ""]);
  show(dimension);
  changed(dimension);
  return focusOn(dimensions.indexOf(dimension));
});
comment.addEventListener("input", () => changed(null));
guide.addEventListener("toggle", () => {
  counts.guide += guide.open ? 1 : 0;
  localStorage.setItem("ocrjury.guide", guide.open ? "open" : "");
});
guide.open = localStorage.getItem("ocrjury.guide") === "open";
document.getElementById("help-button").addEventListener("click", () => help.showModal());
document.getElementById("leave").addEventListener("submit", () => localStorage.clear());
if (document.querySelector(".levels .anchor:not(:empty)") === null) form.classList.add("bare");

(function begin() {
  let unsaved = null;
  try { unsaved = JSON.parse(localStorage.getItem(`${sending.KEY}.${page.visit}`)); } catch { /* none */ }
  if (unsaved) {
    for (const one of dimensions) {
      const name = one.dataset.name;
      const value = unsaved.flags[name] || unsaved.values[name];
      if (value !== undefined) setValue(one, String(value));
    }
    save();
  }
  dimensions.forEach(show);
  const job = sending.kept();
  // A rating that was handed in while the connection was away, and the page closed.
  if (job && job.method === "POST" && job.to === page.to) deliver({ ...job.body, comment: comment.value });
  else if (job && job.method === "POST") sending.send(() => ({ ...job, body: { comment: "", ...job.body } }));
  const next = dimensions.findIndex((one) => valueOf(one) === "");
  focusOn(next === -1 ? 0 : next);
})();
