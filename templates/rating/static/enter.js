// The code of a personal link stands after the # of the address, which no server sees: post it.
"use strict";

const form = document.getElementById("enter");

function arrive() {
  const code = location.hash.slice(1);
  if (!form || !code) return;
  // Nobody finds the code in the history of this browser.
  history.replaceState(null, "", location.pathname);
  form.hidden = true;
  document.getElementById("arriving").hidden = false;
  document.getElementById("code").value = code;
  form.submit();
}

addEventListener("hashchange", arrive);
arrive();
