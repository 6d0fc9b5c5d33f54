// What is on its way to the server: first in, first out for every item, again after a failure, never twice
// in the store. It outlives the tab and the session: jobs rest in this browser under the name of their
// rater and evaluation, and only for them are they sent. No text of a document rests here, and no comment.
"use strict";

const queue = (() => {
  const page = document.body.dataset;
  const LIMIT = 30_000;
  // In which what is handed in arrives as a rule, after the time to undo it.
  const SOON = 2000;
  const START = `ocrjury.job.${page.owner}.`;
  const me = crypto.randomUUID();
  const heard = {};
  let line = [];
  let running = false;
  let stopped = "";
  let failing = false;
  let onItsWay = null;
  let wake = () => {};
  const waiting = [];

  const keyOf = (job) => `${START}${job.id}`;
  const find = (item, kind) => line.find((job) => job.item === item && job.kind === kind);
  const unsent = () => line.filter((job) => job.kind === "rating").length;
  const pause = (ms) => new Promise((done) => { wake = done; setTimeout(done, ms); });

  // What is damaged is nobody's work.
  function read(key) {
    try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
  }

  const stored = () => Object.keys(localStorage)
    .filter((key) => key.startsWith(START))
    .map(read)
    .filter(Boolean)
    .sort((one, other) => one.at - other.at);

  function keep(job) {
    const { comment, ...body } = job.body;
    const kept = { ...job, tab: me, body: comment ? { ...body, comment_lost: true } : body };
    try { localStorage.setItem(keyOf(job), JSON.stringify(kept)); } catch { /* no room: it stays in memory */ }
  }

  function drop(job) {
    line = line.filter((one) => one !== job);
    localStorage.removeItem(keyOf(job));
    tellCount();
  }

  function tellCount() {
    waiting.splice(0).forEach((done) => done());
    document.body.dataset.unsent = unsent();
    sayCount();
  }

  // Whoever rates fast always has something on its way; only what stays is worth a word.
  function sayCount() {
    const stays = line.some((job) => job.kind === "rating" && (failing || stopped || Date.now() > job.at + job.wait + SOON));
    const text = stays ? states.says.unsent.replace("{count}", unsent()) : "";
    const box = document.getElementById("unsent");
    if (box.textContent !== text) box.textContent = text;
  }

  // A newer draft replaces one that never left; what is handed in holds all of it.
  function add(job) {
    if (job.kind !== "shown") line.filter((one) => one.item === job.item && one.kind === "draft" && !one.tried).forEach(drop);
    const whole = { id: job.body.event_id || crypto.randomUUID(), at: Date.now(), wait: 0, ...job };
    line.push(whole);
    keep(whole);
    tellCount();
    // What was typed since is on the page no longer.
    if (stopped && whole.kind === "rating") tellWhy();
    run();
  }

  // Go on with the drafts of an item that a page left behind. They may have arrived already: sent again
  // under the same name, the server answers with the number of the draft as it is now.
  function inherit(item) {
    const left = stored().filter((job) => job.item === item && job.kind === "draft");
    line.push(...left.filter((job) => !line.some((one) => one.id === job.id)));
    run();
    return left.at(-1) ?? null;
  }

  // Take back what has not left yet.
  function take(item) {
    const job = find(item, "rating");
    if (!job || job.tried) return null;
    drop(job);
    return job;
  }

  const isDue = (job, place) => job.at + job.wait <= Date.now() && !line.slice(0, place).some((one) => one.item === job.item);

  async function run() {
    wake();
    if (running || stopped) return;
    running = true;
    while (line.length && !stopped) {
      const job = line.find(isDue);
      if (!job) await pause(Math.max(Math.min(...line.map((one) => one.at + one.wait - Date.now())), 5));
      else await settle(job);
    }
    running = false;
  }

  async function settle(job) {
    onItsWay = job;
    job.tried = true;
    keep(job);
    const answer = await post(job);
    onItsWay = null;
    if (answer.status === 401 || answer.status === 403) return stop(answer);
    if (answer.status === 200 && answer.body.rev !== undefined) rebase(job.item, answer.body.rev);
    drop(job);
    return heard[job.kind]?.(job, answer);
  }

  // What waits for the same item was made on the draft that is now saved.
  function rebase(item, rev) {
    for (const job of line) {
      if (job.item !== item || job.body.base === undefined) continue;
      job.body.base = rev;
      keep(job);
    }
  }

  function stop({ status, body }) {
    // A page of this session replaced the token: what waits is sent by the page as it is now.
    if (body.error?.code === "form_token") return location.reload();
    stopped = status === 401 ? states.says.signed_out : body.error?.message || states.says.trouble;
    sayCount();
    waiting.splice(0).forEach((done) => done());
    states.tell("");
    tellWhy();
    return null;
  }

  // Nothing sends the comments any more, and their items may be gone from the page: the newest of each.
  function tellWhy() {
    const comments = new Map(line.filter((job) => job.body.comment).map((job) => [job.item, job.body.comment]));
    const lost = [...comments.values()].map((one) => states.says.comment_unsent.replace("{comment}", () => one));
    states.warn([stopped, ...lost].join(" "));
  }

  async function post(job) {
    for (let attempt = 0; ; attempt += 1) {
      let why = states.says.offline;
      try {
        const answer = await send(job);
        if (answer.status < 500 && answer.status !== 429) {
          if (failing) states.warn("");
          failing = false;
          return { status: answer.status, body: await answer.json().catch(() => ({})) };
        }
        if (answer.status === 503) why = `${(await answer.json()).error.message} ${states.says.store_later}`;
      } catch { /* the network is away */ }
      failing = true;
      sayCount();
      waiting.splice(0).forEach((done) => done());
      states.tell(why, "bad");
      states.warn(line.some((one) => one.body.comment) ? `${why} ${states.says.comment_waits}` : why);
      await Promise.race([pause(Math.min(1000 * 2 ** attempt, 15000)), new Promise((done) => { addEventListener("online", done, { once: true }); })]);
    }
  }

  function send(job, keepalive = false) {
    const held = job.timed ? { held_ms: Math.max(Date.now() - job.at, 0) } : {};
    return fetch(pages.at(job.to), {
      method: job.method,
      keepalive,
      signal: keepalive ? null : AbortSignal.timeout(LIMIT),
      headers: { "Content-Type": "application/json", "X-Form-Token": document.body.dataset.token },
      body: JSON.stringify({ ...job.body, ...held }),
    });
  }

  // Nothing waits any longer for a change of mind.
  function hurry() {
    for (const job of line) job.wait = 0;
    run();
  }

  // Until all that was handed in has arrived, or the connection is away.
  async function flush() {
    hurry();
    while (unsent() && !failing && !stopped) await new Promise((done) => { waiting.push(done); });
    return !unsent();
  }

  // Jobs of tabs that are gone: a tab that lives holds a lock of its name.
  async function adopt() {
    const others = stored().filter((job) => !line.some((one) => one.id === job.id));
    if (!others.length) return;
    const { held } = await navigator.locks.query();
    const alive = new Set(held.map((lock) => lock.name));
    for (const job of others) {
      if (alive.has(`ocrjury.tab.${job.tab}`) || line.some((one) => one.id === job.id)) continue;
      job.wait = 0;
      line.push(job);
      keep(job);
    }
    line.sort((one, other) => one.at - other.at);
    tellCount();
    run();
  }

  navigator.locks.request(`ocrjury.tab.${me}`, () => new Promise(() => {}));
  setInterval(() => { adopt(); sayCount(); }, 1000);
  addEventListener("pagehide", () => line.filter((job) => job !== onItsWay && job.kind !== "draft").forEach((job) => send(job, true).catch(() => null)));
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") hurry(); });
  addEventListener("beforeunload", (event) => { if ((failing || stopped) && line.some((job) => job.body.comment)) event.preventDefault(); });

  // What rests here for an item, whoever left it: it is what the rater chose last.
  function resting(item, kind) {
    return find(item, kind) ?? stored().find((job) => job.item === item && job.kind === kind);
  }

  return { add, take, inherit, resting, flush, hurry, adopt, unsent, on: (kind, what) => { heard[kind] = what; }, newId: () => crypto.randomUUID() };
})();
