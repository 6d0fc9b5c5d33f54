// A button beside a link copies it; without this script the link is there to be selected.
"use strict";

for (const button of document.querySelectorAll("button[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  const told = document.getElementById(button.dataset.tells);
  button.hidden = false;
  button.addEventListener("click", async () => {
    let copied = true;
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Pages without HTTPS have no clipboard; some browsers still copy what is selected.
      field.select();
      copied = document.execCommand("copy");
      button.focus();
    }
    told.textContent = copied ? told.dataset.copied : told.dataset.failed;
  });
}
