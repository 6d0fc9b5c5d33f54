// Hand in what is chosen, with how it was shown, and go on; say why it was refused.
"use strict";

const handing = (() => {
  let page = null;
  let form = null;
  let problem = null;
  let leaving = false;

  async function handIn() {
    if (leaving) return;
    const now = answers.chosen();
    const open = answers.firstOpen();
    if (open !== -1 && !now.flag) {
      complain(sending.says.incomplete);
      answers.focusOn(open);
      return;
    }
    await deliver({
      event_id: form.elements.event_id.value,
      rubric_hash: page.rubric,
      outputs: Number(page.outputs),
      ...now,
      category: form.querySelector("[name=category]:checked")?.value || null,
      active_ms: work.active(),
      conditions: conditions(),
    });
  }

  async function deliver(body) {
    leaving = true;
    saving.stop();
    form.classList.add("leaving");
    sending.tell(sending.says.saving);
    const answer = await sending.send(() => ({ method: "POST", to: page.to, body: { ...body, base: saving.rev() } }));
    if (answer.status === 200) {
      saving.forget();
      location.assign(answer.body.next);
      return;
    }
    leaving = false;
    form.classList.remove("leaving");
    form.elements.event_id.value = sending.newId();
    refused(answer);
  }

  function conditions() {
    const used = viewer.used();
    const top = (number) => Math.min(number || 0, 10000);
    return {
      diff: texts.diff(),
      reference: page.reference,
      view: viewer.view(),
      diff_used: top(texts.used()),
      zoom_used: top(used.zoom),
      page_used: top(used.page),
      guide_used: top(guide.used()),
      changes: top(saving.changes()),
      breaks: top(work.breaks()),
      script: true,
    };
  }

  function refused({ status, body }) {
    sending.tell("");
    if (status === 401) return sending.warn(sending.says.signed_out);
    if (status === 409) {
      sending.warn(`${body.error.message} ${sending.says.reloaded}`);
      saving.forget();
      leaving = true;
      setTimeout(() => location.assign("/rate"), 1500);
      return null;
    }
    return complain(body.error ? body.error.message : sending.says.trouble);
  }

  function complain(text) {
    problem.textContent = text;
    problem.hidden = !text;
  }

  function go(where) {
    leaving = true;
    location.assign(where);
  }

  pages.onShown(({ body }) => {
    page = body.dataset;
    form = document.getElementById("rate");
    problem = document.getElementById("problem");
    leaving = false;
    form.addEventListener("submit", (event) => { event.preventDefault(); handIn(); });
    const job = sending.kept();
    // A rating that was handed in while the connection was away, and the page closed.
    if (job && job.method === "POST" && job.to === page.to) deliver({ ...job.body, comment: form.elements.comment.value });
    else if (job && job.method === "POST") sending.send(() => ({ ...job, body: { comment: "", ...job.body } }));
  });

  return { handIn, refused, complain, go, leaving: () => leaving };
})();
