// A panel records what it agreed on.
"use strict";

const page = document.body.dataset;
const form = document.getElementById("agree");
const problem = document.getElementById("problem");
const event_id = crypto.randomUUID();
const LIMIT = 30_000;

function complain(text) {
  problem.textContent = text;
  problem.hidden = false;
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
  const values = {};
  let missing = !document.getElementById("discussion").value.trim();
  for (const one of form.querySelectorAll(".dimension")) {
    const found = one.querySelector(".level input:checked, .number input");
    if (!found || found.value === "") missing = true;
    else values[one.dataset.name] = Number(found.value);
  }
  if (missing) return complain(page.incomplete);
  const body = {
    event_id,
    rubric_hash: page.rubric,
    values,
    discussion: document.getElementById("discussion").value,
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
    if (answer.ok) location.assign(said.next);
    else complain(said.error.message);
  } catch {
    complain(page.offline);
  }
  return null;
});
