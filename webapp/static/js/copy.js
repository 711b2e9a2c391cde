// Adds a button to every command that copies it. Without this script the text can still be selected.
"use strict";

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
}

const addButtons = () => document.querySelectorAll(".command").forEach(addButton);

addButtons();
document.addEventListener("htmx:afterSettle", addButtons);
