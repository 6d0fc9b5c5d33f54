// What is typed while a page is loaded, before its modules are there. It comes first and waits for nothing.
"use strict";

const early = (() => {
  const typed = [];
  const hear = (event) => {
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    typed.push({ key: event.key, code: event.code, shiftKey: event.shiftKey });
  };
  addEventListener("keydown", hear);

  function take() {
    removeEventListener("keydown", hear);
    return typed.splice(0);
  }

  return { take };
})();
