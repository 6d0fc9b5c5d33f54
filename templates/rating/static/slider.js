// A slider beside each number field: what moves one sets the other. Untouched, it answers nothing.
"use strict";

pages.onShown(({ main }) => {
  for (const box of main.querySelectorAll(".slider")) {
    const range = box.querySelector("input");
    const dimension = box.closest(".dimension");
    const number = dimension.querySelector(".number input");
    const excuse = dimension.querySelector(".excuse input");
    const middle = range.value;

    const show = () => {
      const empty = number.value === "";
      range.classList.toggle("unset", empty);
      range.value = empty ? middle : number.value;
      range.setAttribute("aria-valuetext", empty ? box.dataset.unset : number.value);
    };
    const answer = () => {
      if (excuse) excuse.checked = false;
      number.value = range.value;
      show();
    };
    // Where it rests in the middle, a click or the space bar there changes nothing but is an answer.
    const confirm = () => {
      if (number.value !== "") return;
      answer();
      range.dispatchEvent(new Event("change", { bubbles: true }));
    };

    range.addEventListener("input", answer);
    range.addEventListener("click", confirm);
    range.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      confirm();
    });
    number.addEventListener("input", () => {
      if (excuse && number.value !== "") excuse.checked = false;
      show();
    });
    dimension.addEventListener("change", (event) => {
      if (event.target === excuse) number.value = "";
      show();
    });
    dimension.addEventListener("shown", show);
    box.hidden = false;
    show();
  }
});
