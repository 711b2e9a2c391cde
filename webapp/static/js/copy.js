// Adds a button to every command that copies it. Without this script the text can still be selected.
"use strict";

const SHORT = 28; // letters that have room beside the button on a phone
const FEW = 3; // lines of a command, which wraps; a longer program keeps its lines

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
  if (lines.length <= FEW) wrap(box);
}

// Lines break between words only: not after the hyphen of an option.
function wrap(box) {
  const code = box.querySelector("code") ?? box.querySelector("pre");
  const parts = code.textContent.split(/(\s+)/).map((text) => {
    if (!text.trim()) return text;
    const word = document.createElement("span");
    word.className = "word";
    word.textContent = text;
    return word;
  });
  code.replaceChildren(...parts);
  box.classList.add("wraps");
}

const addButtons = () => document.querySelectorAll(".command").forEach(addButton);

addButtons();
document.addEventListener("htmx:afterSettle", addButtons);
