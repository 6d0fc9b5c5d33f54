// Hand in what is chosen, with how it was shown, and go on to the next item; for two seconds it can be undone.
"use strict";

const handing = (() => {
  const UNDO = 2000;
  const TYPED = "ocrjury.typed";
  // Longer than a page takes to load over a slow line.
  const LIMIT = 30_000;
  let page = document.body.dataset;
  let form = null;
  let problem = null;
  let leaving = false;
  let typed = [];
  let before = null;
  let held = false;
  let timer = 0;
  let coming = false;
  let putOff = false;
  let loading = false;

  // After the last answer: where the page stays until the answer is known, there are two seconds to undo as well.
  const handInByItself = () => handIn(UNDO);

  async function handIn(wait = 0) {
    if (leaving) return;
    const open = answers.firstOpen();
    if (open && !answers.chosen().flag) {
      complain(open.matches(".preference") ? open.querySelector("legend").textContent : states.says.incomplete);
      answers.focusOn(open);
      return;
    }
    const outside = isOutside();
    if (outside) {
      answers.focusOn(outside);
      return;
    }
    const why = form.querySelector(".why");
    if (why && !category()) {
      complain(states.says.category);
      answers.focusOn(why);
      return;
    }
    if (rules.asks()) return;
    const job = jobOf();
    freeze();
    const next = inBackground() ? ahead.ready() ?? await ahead.next() : null;
    // A draft may have been saved meanwhile.
    job.body.base = saving.rev();
    if (next) goOn(job, next);
    else deliver({ ...job, wait });
  }

  // An adjudicator judges alone; what others said is shown, and travels, only once that is stored.
  const alone = () => page.to.startsWith("/api/judgements/");

  // After practice comes its result first, which is known only once the answer is stored.
  const inBackground = () => page.inTurn && !alone();

  // Why the raters differed, which an adjudicator says.
  const category = () => form.querySelector("[name=category]:checked")?.value || null;

  function jobOf() {
    return {
      kind: "rating",
      item: page.item,
      visit: page.visit,
      method: "POST",
      to: page.to,
      timed: true,
      body: {
        event_id: form.elements.event_id.value,
        rubric_hash: page.rubric,
        outputs: Number(page.outputs),
        ...answers.chosen(),
        told: rules.told(),
        category: category(),
        active_ms: work.active(),
        conditions: conditions(),
      },
    };
  }

  function conditions() {
    const used = viewer.used();
    const top = (number) => Math.min(number || 0, 10000);
    return {
      diff: texts.diff(),
      reference: page.reference,
      view: viewer.seen(),
      diff_used: top(texts.used()),
      zoom_used: top(used.zoom),
      page_used: top(used.page),
      guide_used: top(guide.used()),
      changes: top(saving.changes()),
      breaks: top(work.breaks()),
      script: true,
    };
  }

  // What is typed meanwhile belongs to the next item; a click belongs to none.
  function freeze() {
    waitForNext();
    form.inert = true;
    form.classList.add("leaving");
  }

  function waitForNext() {
    leaving = true;
    typed = [];
  }

  function thaw() {
    leaving = false;
    form.inert = false;
    form.classList.remove("leaving");
  }

  // In the background: the next item is shown at once.
  function goOn(job, next) {
    if (work.mustRest()) {
      queue.add(job);
      return void go(pages.at("/rate"));
    }
    thaw();
    before = copy();
    queue.add({ ...job, wait: UNDO });
    showWithKeys(next, offerUndo);
    return null;
  }

  // What was typed before it came is for it.
  function showWithKeys(next, between = () => {}) {
    const meanwhile = typed;
    const expected = !sessionStorage.getItem(whyOf(next.data.item));
    show(next);
    between();
    if (expected) press(meanwhile);
  }

  // What follows Enter is for the item after it, which may have to be waited for in turn.
  function press(events) {
    for (const event of events) if (!hold(event)) keys.actLate(event);
  }

  function copy() {
    const spent = { active: work.active(), changes: saving.changes(), history: answers.history() };
    const twin = pages.copy();
    return { ...twin, data: { ...twin.data, ...spent } };
  }

  function show(next) {
    pages.show(next);
    if (page.ahead) queue.add({ kind: "shown", item: page.item, method: "POST", to: `/api/shown/${page.visit}`, timed: true, body: {} });
    delete page.ahead;
  }

  function offerUndo() {
    const box = document.getElementById("taken");
    clearTimeout(timer);
    box.hidden = false;
    timer = setTimeout(() => { box.hidden = true; [before, held] = [null, false]; }, UNDO);
  }

  // Within two seconds an item comes back as it was; what is shown now follows it.
  function takeBack() {
    if (held) return stay();
    const job = before && queue.take(before.data.item);
    if (!job) return false;
    const last = before;
    before = null;
    document.getElementById("taken").hidden = true;
    last.data.rev = job.body.base;
    last.main.querySelector("[name=event_id]").value = queue.newId();
    ahead.putBack(copy());
    pages.show(last);
    states.speak(states.says.taken_back);
    saving.put();
    return true;
  }

  // In the foreground: what comes next depends on the answer.
  function deliver(job) {
    states.tell(states.says.saving);
    queue.add(job);
    if (!job.wait) return void queue.hurry();
    held = true;
    return offerUndo();
  }

  // Nothing has left: the item is still here.
  function stay() {
    held = false;
    if (!queue.take(page.item)) return false;
    document.getElementById("taken").hidden = true;
    states.tell("");
    states.speak(states.says.taken_back);
    thaw();
    form.elements.event_id.value = queue.newId();
    saving.put();
    return true;
  }

  queue.on("rating", (job, answer) => {
    const here = job.item === page.item;
    if (answer.status === 200) {
      states.count(answer.body.bar, answer.body.left);
      states.tell(states.says.saved, "good");
      if (here && leaving) follow(answer.body.next);
      return;
    }
    if (before?.data.item === job.item) document.getElementById("taken").hidden = true;
    if (here) {
      thaw();
      form.elements.event_id.value = queue.newId();
      refused(answer);
    } else comeBack(job, answer);
  });

  // What others said, and what was expected, travels only now; an item may be there already.
  async function follow(where) {
    const isNext = where === pages.at("/rate") && !alone();
    if (isNext && !work.mustRest()) return comeToNext(await ahead.next());
    const next = isNext ? null : await ahead.fetched(where);
    return next ? show(next) : go(where);
  }

  // Where none was there ahead, the server says what is next, once it knows all that was handed in.
  async function comeToNext(there) {
    const where = pages.at("/rate");
    // An item that is changed has an address of its own, which is left.
    const stays = location.pathname === where;
    const next = there ?? (stays && await queue.flush() ? await ahead.afresh() : null);
    if (next) showWithKeys(next);
    else go(where);
  }

  // An item that was not stored is the next one, as it was chosen, with the reason.
  function comeBack(job, answer) {
    const reason = answer.body.error ? answer.body.error.message : states.says.trouble;
    if (answer.status === 409) return states.warn(reason);
    ahead.forget();
    const { values, flags } = job.body;
    const notes = answer.body.error?.notes ?? {};
    sessionStorage.setItem(whyOf(job.item), JSON.stringify({ reason, notes, chosen: { values, flags } }));
    // What was computed is told beside the levels it is about.
    const [asked] = reason.split("\n").slice(-1);
    return states.warn(states.says.not_stored.replace("{reason}", asked));
  }

  function refused({ status, body }) {
    states.tell("");
    if (status === 409) {
      states.warn(body.error.message);
      freeze();
      setTimeout(() => location.assign(pages.at("/rate")), 1500);
      return null;
    }
    rules.learn(body.error?.notes ?? {});
    return complain(body.error ? body.error.message : states.says.trouble);
  }

  // A number that the scale does not have is neither saved nor handed in, and this says so.
  function isOutside() {
    const outside = answers.outside();
    if (outside) complain(states.says.outside.replace("{range}", outside.querySelector(".number span").textContent));
    return outside;
  }

  function complain(text) {
    problem.textContent = text;
    problem.hidden = !text;
    answers.makeRoom();
  }

  async function go(where) {
    leaving = true;
    loading = where === pages.at("/rate");
    await queue.flush();
    location.assign(where);
  }

  // To the end of the queue: the item waits there in every later session. One that is changed is left as it is.
  async function later() {
    if (!leaving && page.changing) return void go(document.getElementById("back").href);
    if (leaving || !page.inTurn) return;
    freeze();
    queue.add({ kind: "later", item: page.item, method: "POST", to: `/api/later/${page.visit}`, body: {} });
    [coming, putOff] = [true, false];
    const next = ahead.ready() ?? await ahead.next();
    coming = false;
    if (!next && !putOff) return states.tell(states.says.saving);
    await comeToNext(next);
    if (putOff) ahead.again();
    return null;
  }

  // A page that is on its way is waited for.
  queue.on("later", (job) => {
    putOff = true;
    if (!leaving || job.item !== page.item) return ahead.again();
    if (coming) return null;
    states.tell("");
    comeToNext(null);
    return null;
  });

  // An item follows, and takes what is typed.
  const awaits = () => leaving && Boolean(inBackground() || page.lesson);

  function hold(event) {
    if (held && event.code === "KeyU") stay();
    else if (awaits()) typed.push(event);
    else return leaving;
    return true;
  }

  function chooseAgain({ reason, notes, chosen }) {
    answers.restore(chosen);
    answers.toFirstOpen();
    rules.learn(notes);
    saving.put();
    states.warn("");
    complain(reason);
  }

  // Where the next item has to be loaded, as when the server has newer files, its page takes over what was typed,
  // and what was typed while it was loaded.
  addEventListener("pagehide", () => {
    if (loading && awaits()) sessionStorage.setItem(TYPED, JSON.stringify({ at: Date.now(), events: typed }));
  });

  function takeOver() {
    const kept = JSON.parse(sessionStorage.getItem(TYPED));
    const since = early.take();
    sessionStorage.removeItem(TYPED);
    if (!kept || Date.now() - kept.at > LIMIT || !page.inTurn || page.changing || !keys.on()) return;
    queueMicrotask(() => press([...kept.events, ...since]));
  }

  const whyOf = (item) => `ocrjury.why.${item}`;

  function begin(swapped) {
    const why = whyOf(page.item);
    const refusal = JSON.parse(sessionStorage.getItem(why));
    sessionStorage.removeItem(why);
    // Once every module has begun with the page.
    if (refusal) queueMicrotask(() => chooseAgain(refusal));
    if (!swapped && !refusal) takeOver();
    // It was handed in already, and is on its way.
    if (swapped || !queue.resting(page.item, "rating")) return;
    freeze();
    states.tell(states.says.saving);
    queue.adopt();
    const look = setInterval(() => {
      if (leaving && queue.resting(page.item, "rating")) return;
      clearInterval(look);
      if (leaving) go(pages.at("/rate"));
    }, 300);
  }

  pages.onItem(({ body, main, swapped }) => {
    page = body.dataset;
    form = document.getElementById("rate");
    problem = document.getElementById("problem");
    thaw();
    form.addEventListener("submit", (event) => { event.preventDefault(); handIn(); });
    main.querySelector("#later")?.addEventListener("click", (event) => { event.preventDefault(); later(); });
    main.querySelector("#previous")?.addEventListener("click", (event) => { event.preventDefault(); go(event.currentTarget.href); });
    begin(swapped);
  });
  pages.onLesson(() => { leaving = false; });
  document.getElementById("take-back").addEventListener("click", takeBack);

  return { handIn, handInByItself, takeBack, later, show, showWithKeys, waitForNext, refused, complain, isOutside, go, hold, leaving: () => leaving };
})();
