// Keeps the chosen file when the user has been signed out before sending it. Needs sending.js.
"use strict";

function showHint(hint, words, link) {
  release();
  hint.replaceChildren(words);
  if (!link) return;
  const a = document.createElement("a");
  Object.assign(a, { href: link, target: "_blank", textContent: "Sign in in a new tab" });
  hint.append(" ", a, ", then press Upload again.");
}

// A form that is sent without a session loses its file, so the session is tried first. Signing in
// anew makes the form's token useless: the page that is fetched for this brings a fresh one.
async function keepFile(event) {
  event.preventDefault();
  const form = event.target;
  const hint = form.querySelector("[data-hint]");
  hold(form);
  let answer;
  try {
    answer = await fetch(form.dataset.page, { redirect: "manual" });
  } catch {
    showHint(hint, "The site cannot be reached. Your file is still selected; press Upload again later.");
    return;
  }
  if (answer.type === "opaqueredirect") {
    showHint(hint, "You have been signed out. Your file is still selected.", form.dataset.signIn);
    return;
  }
  if (!answer.ok) {
    showHint(hint, "The site answered with an error. Your file is still selected: try again later.");
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("[name=csrfmiddlewaretoken]");
  if (fresh) form.querySelector("[name=csrfmiddlewaretoken]").value = fresh.value;
  form.submit();
}

document.querySelectorAll("form[data-page]").forEach((form) => form.addEventListener("submit", keepFile));
