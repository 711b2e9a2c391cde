// Adds a button to every command that copies it. Without this script the text can still be selected.
"use strict";

const SHORT = 28; // letters that have room beside the button on a phone

function addButton(box) {
  if (!navigator.clipboard || box.querySelector("button")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(box.querySelector("pre").textContent.trim());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy by hand";
    }
  });
  box.append(button);
  const lines = box.querySelector("pre").textContent.trimEnd().split("\n");
  box.classList.toggle("long", lines.some((line) => line.length > SHORT));
}

const addButtons = () => document.querySelectorAll(".command").forEach(addButton);

addButtons();
document.addEventListener("htmx:afterSettle", addButtons);
