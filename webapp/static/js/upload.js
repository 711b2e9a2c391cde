// Lets a file be dropped on the upload form, and keeps it when somebody has been signed out meanwhile.
// Without this script the plain file field does the job.
"use strict";

const mib = (bytes) => `${(bytes / 1048576).toFixed(2)} MiB`;

function describe(file, limit) {
  if (file.size > limit) {
    return `${file.name} is ${mib(file.size)}; at most ${mib(limit)} are accepted.`;
  }
  return `${file.name}, ${file.size.toLocaleString()} bytes. Press the button to send it.`;
}

function enhance(zone) {
  const input = zone.querySelector("input[type=file]");
  const hint = zone.querySelector("[data-hint]");
  const limit = Number(zone.dataset.maxBytes) || Infinity;

  const show = () => {
    if (input.files.length) hint.textContent = describe(input.files[0], limit);
  };
  input.addEventListener("change", show);
  hint.textContent = "Or drop the file here.";

  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files.length !== 1) {
      hint.textContent = "Drop one file; several go into a zip.";
      return;
    }
    input.files = event.dataTransfer.files;
    show();
  });
}

function showHint(hint, words, link) {
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
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("[name=csrfmiddlewaretoken]");
  if (fresh) form.querySelector("[name=csrfmiddlewaretoken]").value = fresh.value;
  form.submit();
}

document.querySelectorAll("[data-drop]").forEach(enhance);
document.querySelectorAll("form[data-page]").forEach((form) => form.addEventListener("submit", keepFile));
