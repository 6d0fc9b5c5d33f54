// What a reader at a screen gets beside the page; without these scripts the page only stays still.
"use strict";
const words = document.currentScript.dataset;

const made = (tag, given = {}, ...inside) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
};

// What happens after a key or a click is said to who cannot see it.
const status = made("p", {class: "unseen", role: "status"});
document.querySelector("main").append(status);
