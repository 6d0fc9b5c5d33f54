// Whoever leaves takes along what waits here. Nothing of theirs stays in this browser; what waits for
// other evaluations does.
"use strict";

(() => {
  const JOBS = "ocrjury.job.";

  function forget(owner) {
    sessionStorage.clear();
    Object.keys(localStorage)
      .filter((key) => !key.startsWith(JOBS) || key.startsWith(`${JOBS}${owner}.`))
      .forEach((key) => localStorage.removeItem(key));
  }

  document.getElementById("leave")?.addEventListener("submit", async (event) => {
    const form = event.target;
    event.preventDefault();
    if (typeof queue !== "undefined" && !await queue.flush()) return states.warn(states.says.unsent_stays);
    forget(form.dataset.owner);
    return form.submit();
  });
})();
