// The keys of the rating page. They can be switched off.
"use strict";

const keys = (() => {
  const ON = "ocrjury.keys";
  const AUTO = "ocrjury.auto";
  const on = () => localStorage.getItem(ON) !== "off";
  const auto = () => localStorage.getItem(AUTO) === "on";
  const LETTERS = {
    KeyU: () => answers.undo(),
    KeyF: () => boxes.toggle("flag-box"),
    KeyC: () => boxes.toggle("comment-box"),
    KeyN: () => answers.excuse(),
    KeyL: () => handing.later(),
  };
  const SIGNS = {
    "?": () => help.show(),
    ArrowDown: () => answers.step(1),
    ArrowUp: () => answers.step(-1),
    Enter: () => handing.handIn(),
  };

  // What a held key would do to the next dimension, or to the next item.
  const ONCE = /^(Digit|Numpad|Enter$|Key[UNLDGFCPBR])/;
  // What a finger or a mouse pressed last keeps the focus, but Enter goes on: it is for who came with Tab.
  let pointed = null;
  const ownsEnter = (target) => target.matches("button, a, summary") && target.checkVisibility() && (target !== pointed || target.closest(".menu[open]") !== null);
  addEventListener("pointerdown", (event) => { pointed = event.target.closest("button, a, summary"); });

  // What led into a field, as long as it is held: it is written there once, or not at all.
  let leading = "";
  const digit = (event) => /^[0-9]$/.test(event.key);
  const sliding = (target, key) => target.matches(".slider input") && /^(Arrow|Home|End|Page)/.test(key);
  const writing = (target) => target.matches("textarea, input[type=number], input[type=text], select");
  // Where Enter begins a line, as in many forms.
  const submits = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "comment" && !event.isComposing;
  // No shortcut while a method of input composes, with another key held, or with the help open.
  const free = (event) => !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey && !help.open();

  function pressed(event) {
    if (on() && submits(event)) {
      event.preventDefault();
      return event.repeat ? null : void handing.handIn();
    }
    if ((document.body.dataset.lesson && !handing.leaving()) || !free(event)) return;
    if (event.key === "Tab") pointed = null;
    if (event.key === "Escape") return void document.activeElement.blur();
    if (!on()) return;
    if (!event.repeat) leading = "";
    else if (event.code === leading && writing(event.target)) return void event.preventDefault();
    // The focus leaves a field that was handed in only when the page is drawn next.
    const typing = writing(event.target) || sliding(event.target, event.key);
    if (typing && !event.target.closest("[inert]")) return;
    if (event.repeat && ONCE.test(event.code)) return void event.preventDefault();
    if (handing.hold({ key: event.key, code: event.code, shiftKey: event.shiftKey })) return void event.preventDefault();
    // A digit begins a number where a number is asked for.
    const number = digit(event) && answers.field(answers.current());
    if (number) {
      leading = event.code;
      number.focus();
      return void number.select();
    }
    // What was pressed may be gone before the focus has left it: such an Enter is the page's.
    if (event.key === "Enter" && ownsEnter(event.target)) return;
    if (event.key.startsWith("Arrow") && event.target.matches("input[type=radio]") && event.target.closest(".choice, .sure")) return;
    if (!act(event)) return;
    leading = event.code;
    event.preventDefault();
  }

  // With Shift, a digit is a level from 10 on, where the current scale has it; by its place on the keyboard.
  function fromTen({ shiftKey, code }) {
    const level = shiftKey && /^Digit[0-9]$/.test(code) ? `1${code.at(-1)}` : "";
    return level && answers.has(level) ? () => answers.level(level) : null;
  }

  function act(event) {
    const other = () => fromTen(event) || SIGNS[event.key] || LETTERS[event.code] || reading.act(event);
    const what = digit(event) ? () => answers.level(event.key) : other();
    if (what) what(event);
    return Boolean(what);
  }

  // A key that was held until its item came. What the browser would have typed into a number field is typed here.
  function actLate(event) {
    const number = answers.field(answers.current());
    if (number && digit(event)) {
      number.value = (document.activeElement === number ? number.value : "") + event.key;
      number.focus();
      return void number.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (number && document.activeElement === number) number.dispatchEvent(new Event("change", { bubbles: true }));
    return void act(event);
  }

  // Once all modules have begun; until then `early` listens.
  pages.onShown(({ swapped }) => { if (!swapped) document.addEventListener("keydown", pressed); });

  const apply = () => document.documentElement.classList.toggle("no-keys", !on());
  for (const [id, stored, holds] of [["use-keys", ON, on], ["use-auto", AUTO, auto]]) {
    const box = document.getElementById(id);
    box.checked = holds();
    box.addEventListener("change", () => {
      localStorage.setItem(stored, box.checked ? "on" : "off");
      apply();
    });
  }
  apply();

  return { on, auto, free, writing, ownsEnter, actLate };
})();
