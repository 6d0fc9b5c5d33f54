// The draft: every choice rests in this browser at once, and is saved within half a second.
"use strict";

const saving = (() => {
  const DELAY = 250;
  let page = document.body.dataset;
  let changes = 0;

  function changed(dimension) {
    changes += 1;
    handing.complain("");
    if (dimension) dimension.querySelector(".note").textContent = "";
    put();
  }

  // What is practised again is answered at once or not at all.
  function put() {
    if (page.again) return;
    queue.add({
      kind: "draft",
      item: page.item,
      method: "PUT",
      to: `/api/drafts/${page.visit}`,
      wait: DELAY,
      body: { event_id: queue.newId(), base: Number(page.rev), outputs: Number(page.outputs), ...answers.chosen(), told: rules.told() },
    });
  }

  queue.on("draft", (job, answer) => {
    if (job.item !== page.item) return;
    if (answer.status !== 200) return void handing.refused(answer);
    page.rev = answer.body.rev;
    if (handing.isOutside()) states.tell("");
    else states.tell(states.says.saved, "good");
    // Notes are about what was chosen then: a newer draft brings those about what is chosen now.
    if (queue.resting(page.item, "draft")) return;
    for (const one of answers.all()) one.querySelector(".note").textContent = answer.body.notes[one.dataset.name] || "";
    rules.learn(answer.body.notes);
  });

  pages.onItem(({ body, swapped }) => {
    page = body.dataset;
    changes = Number(page.changes || 0);
    const comment = document.getElementById("comment");
    comment.addEventListener("input", () => {
      document.getElementById("comment-full").hidden = comment.value.length < comment.maxLength;
      changed(null);
    });
    const unsaved = swapped ? null : queue.inherit(page.item);
    if (!unsaved) return;
    answers.restore(unsaved.body);
    answers.toFirstOpen();
  });

  return { changed, put, rev: () => Number(page.rev), changes: () => changes };
})();
