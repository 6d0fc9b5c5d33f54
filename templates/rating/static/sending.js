// What leaves the page: one request at a time, again after a failure, never twice in the store.
// Only ratings rest in this browser until they are sent: no text of a document, no comment.
"use strict";

const sending = (() => {
  const data = document.body.dataset;
  const says = JSON.parse(data.says);
  const KEY = "ocrjury.pending";
  const state = document.getElementById("state");
  const notice = document.getElementById("notice");
  let line = Promise.resolve();

  const newId = () => crypto.randomUUID();
  const wait = (ms) => new Promise((done) => { setTimeout(done, ms); addEventListener("online", done, { once: true }); });

  function tell(text, kind = "") {
    state.textContent = text;
    state.dataset.kind = kind;
  }

  function warn(text) {
    notice.textContent = text;
    notice.hidden = !text;
  }

  function keep(job) {
    const { comment, ...body } = job.body;
    try { localStorage.setItem(KEY, JSON.stringify({ ...job, body })); } catch { /* no room: it stays in memory */ }
  }

  function kept() {
    try { return JSON.parse(localStorage.getItem(KEY)); } catch { return null; }
  }

  function forget(job) {
    if (kept()?.body.event_id === job.body.event_id) localStorage.removeItem(KEY);
  }

  async function post(job) {
    for (let attempt = 0; ; attempt += 1) {
      let why = says.offline;
      try {
        const answer = await fetch(job.to, {
          method: job.method,
          headers: { "Content-Type": "application/json", "X-Form-Token": data.token },
          body: JSON.stringify(job.body),
        });
        if (answer.status < 500 && answer.status !== 429) {
          warn("");
          return { status: answer.status, body: await answer.json() };
        }
        if (answer.status === 503) why = `${(await answer.json()).error.message} ${says.store_later}`;
      } catch { /* the network is away */ }
      tell(why, "bad");
      warn(why);
      await wait(Math.min(1000 * 2 ** attempt, 15000));
    }
  }

  // A job knows how to make its body when its turn comes, on the newest number of the draft.
  function send(make) {
    const result = line.then(async () => {
      const job = make();
      if (!job) return null;
      keep(job);
      const answer = await post(job);
      forget(job);
      return answer;
    });
    line = result.catch(() => null);
    return result;
  }

  return { send, tell, warn, kept, newId, says, KEY };
})();
