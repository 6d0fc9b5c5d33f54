// A panel records what it agreed on.
"use strict";

const page = document.body.dataset;
const form = document.getElementById("agree");
const problem = document.getElementById("problem");
const event_id = crypto.randomUUID();
const LIMIT = 30_000;
const discussion = document.getElementById("discussion");
let recorded = false;

function complain(text) {
  problem.textContent = text;
  problem.hidden = false;
}

// What was written down is nowhere else.
addEventListener("beforeunload", (event) => {
  if (!recorded && discussion.value !== discussion.defaultValue) event.preventDefault();
});

const valueOf = (dimension) => dimension.querySelector(".level input:checked, .number input")?.value ?? "";

// What comes first of what is missing: the discussion, who took part, a dimension.
function firstOpen() {
  const open = [...form.querySelectorAll(".dimension")].find((one) => valueOf(one) === "");
  if (!discussion.value.trim()) return discussion;
  if (!form.querySelector("[name=attendance]:checked")) return form.querySelector("[name=attendance]");
  return open?.querySelector(".level input, .number input") ?? null;
}

// The keys that the page shows work here too, unless they are switched off or something is written.
const keysOn = localStorage.getItem("ocrjury.keys") !== "off";
document.documentElement.classList.toggle("no-keys", !keysOn);
document.addEventListener("keydown", (event) => {
  const held = event.ctrlKey || event.metaKey || event.altKey || (event.repeat && event.code !== "KeyJ");
  if (!keysOn || held || event.isComposing || event.target.matches("textarea, input[type=number]")) return;
  reading.act(event)?.(event);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const open = firstOpen();
  if (open) {
    open.focus();
    return complain(page.incomplete);
  }
  const values = {};
  for (const one of form.querySelectorAll(".dimension")) values[one.dataset.name] = Number(valueOf(one));
  const body = {
    event_id,
    rubric_hash: page.rubric,
    values,
    discussion: discussion.value,
    attendance: [...form.querySelectorAll("[name=attendance]:checked")].map((one) => one.value),
  };
  try {
    const answer = await fetch(pages.at(`/api/consensus/${page.visit}`), {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Form-Token": page.token },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT),
    });
    const said = await answer.json();
    recorded = answer.ok;
    if (recorded) location.assign(said.next);
    else complain(said.error.message);
  } catch {
    complain(page.offline);
  }
  return null;
});
