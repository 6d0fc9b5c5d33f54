// Several outputs of one page: the arrow keys go from one to the other on the same question.
"use strict";

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || !keys.free(event) || event.defaultPrevented || !keys.on()) return;
  if (keys.writing(event.target) || event.target.id === "stage" || event.target.closest(".choice, .sure, .slider")) return;
  const all = answers.all();
  const here = answers.current();
  const same = all.filter((one) => one.parentElement === here.parentElement);
  const next = same[same.indexOf(here) + step];
  event.preventDefault();
  if (next) answers.focusOn(next);
});
