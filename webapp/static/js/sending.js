// Sends a form once: its buttons are off until the answer comes. Without this script a form that is
// sent twice within seconds is one upload all the same.
"use strict";

function hold(form) {
  for (const button of form.querySelectorAll("button:enabled")) {
    button.disabled = true;
    button.dataset.held = "";
  }
}

function release() {
  for (const button of document.querySelectorAll("button[data-held]")) {
    button.disabled = false;
    delete button.dataset.held;
  }
}

document.querySelectorAll("form[data-once]").forEach((form) => {
  // Later: a button that is off would not be sent with its form.
  form.addEventListener("submit", () => setTimeout(() => hold(form)));
});
// Back on a page that the browser kept as it was.
window.addEventListener("pageshow", release);
