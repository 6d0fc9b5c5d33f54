// Several outputs of one page: the arrow keys go from one to the other on the same question.
"use strict";

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.defaultPrevented || !useKeys.checked || writing(event.target) || event.target.id === "stage") return;
  if (event.target.closest(".choice, .sure, .slider")) return;
  const same = dimensions.filter((one) => one.parentElement === dimensions[at].parentElement);
  const next = same[same.indexOf(dimensions[at]) + step];
  event.preventDefault();
  if (next) focusOn(dimensions.indexOf(next));
});
