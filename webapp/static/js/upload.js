// Lets a file be dropped on the upload form. Without this script the plain file field does the job.
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

document.querySelectorAll("[data-drop]").forEach(enhance);
