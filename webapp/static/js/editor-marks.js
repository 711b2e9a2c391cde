// Puts the messages of the last try into the margin, at their lines. Ace shows them as text.
"use strict";

{
  const sections = [...document.querySelectorAll(".editor-file")];

  function mark() {
    const messages = [...document.querySelectorAll(".editor-mark")].map(({ dataset }) => dataset);
    for (const section of sections) {
      const own = messages.filter(({ file, line }) => file === section.dataset.name && line > 0);
      if (own.length) window.openEditor(section);
      section.tab.toggleAttribute("data-marked", own.length > 0);
      section.editor?.session.setAnnotations(
        own.map(({ line, text }) => ({ row: line - 1, column: 0, text, type: "error" })),
      );
    }
  }

  document.getElementById("editor").addEventListener("click", (event) => {
    const link = event.target.closest(".editor-mark .where a");
    if (!link) return;
    event.preventDefault();
    const { file, line } = link.closest(".editor-mark").dataset;
    window.showFile(file, Number(line));
    sections.find((section) => section.dataset.name === file).editor?.focus();
  });
  document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
    const why = xhr.status === 413 ? "the files are too large together" : `the site answered ${xhr.status}`;
    document.getElementById("tried").textContent = `Not saved: ${why}. The text is still here.`;
  });
  document.addEventListener("htmx:afterSettle", mark);
  mark();
}
