// The draft: every choice is saved within half a second, and rests in this browser until it is.
"use strict";

const saving = (() => {
  let page = null;
  let rev = 0;
  let changes = 0;
  let timer = 0;

  const key = () => `${sending.KEY}.${page.visit}`;
  const forget = () => localStorage.removeItem(key());

  function changed(dimension) {
    changes += 1;
    handing.complain("");
    if (dimension) dimension.querySelector(".note").textContent = "";
    clearTimeout(timer);
    timer = setTimeout(save, 250);
    remember();
  }

  // Until it is saved, a reload or a lost connection must not lose it.
  function remember() {
    const { comment: _, ...kept } = answers.chosen();
    try { localStorage.setItem(key(), JSON.stringify(kept)); } catch { /* no room */ }
  }

  async function save() {
    if (handing.leaving()) return;
    sending.tell(sending.says.saving);
    const answer = await sending.send(() => handing.leaving() ? null : ({
      method: "PUT",
      to: `/api/drafts/${page.visit}`,
      body: { event_id: sending.newId(), base: rev, outputs: Number(page.outputs), ...answers.chosen() },
    }));
    if (!answer) return;
    if (answer.status === 200) {
      rev = answer.body.rev;
      forget();
      sending.tell(sending.says.saved, "good");
      for (const one of answers.all()) one.querySelector(".note").textContent = answer.body.notes[one.dataset.name] || "";
    } else handing.refused(answer);
  }

  pages.onShown(({ body, main }) => {
    page = body.dataset;
    [rev, changes] = [Number(page.rev), 0];
    main.querySelector("#comment").addEventListener("input", () => changed(null));
    let unsaved = null;
    try { unsaved = JSON.parse(localStorage.getItem(key())); } catch { /* none */ }
    if (!unsaved) return;
    answers.restore(unsaved);
    answers.focusOn(Math.max(answers.firstOpen(), 0));
    save();
  });

  return { changed, forget, stop: () => clearTimeout(timer), rev: () => rev, changes: () => changes };
})();
