// Replaces a file's text area by the Ace editor, the first time that its tab is shown. The text area
// stays what the form sends. Without this script, and for lines of absurd length, it is the editor.
"use strict";

{
  const LONGEST_LINE = 5000;
  const form = document.getElementById("editor");
  let changed = false;

  ace.config.set("useStrictCSP", true); // its rules are in ace.css, which the page links
  ace.config.set("loadWorkerFromBlob", false);
  ace.define("ace/theme/firebox", ["exports"], (_, exports) => {
    Object.assign(exports, { isDark: false, cssClass: "ace-firebox", cssText: "" });
  });

  window.openEditor = (section) => {
    const area = section.querySelector("textarea");
    if (section.editor || area.value.split("\n").some((line) => line.length > LONGEST_LINE)) return;
    const place = document.createElement("div");
    place.className = "editor-text";
    area.after(place);
    area.hidden = true;
    const editor = ace.edit(place, {
      value: area.value, theme: "ace/theme/firebox", useWorker: false, showPrintMargin: false,
      tabSize: /^ {2}\S/m.test(area.value) ? 2 : 4, useSoftTabs: !/^\t/m.test(area.value),
      enableKeyboardAccessibility: true, textInputAriaLabel: `Text of ${section.dataset.name}`,
      enableBasicAutocompletion: [window.completer],
      mode: `ace/mode/${section.dataset.mode || "text"}`,
    });
    editor.on("change", () => { area.value = editor.getValue(); changed = true; });
    window.completeAfterDots(editor);
    for (const [name, key, act] of [["try", "Enter", "try"], ["save", "S", "save"]]) {
      const exec = () => form.querySelector(`button[name="act"][value="${act}"]`).click();
      editor.commands.addCommand({ name, bindKey: { win: `Ctrl-${key}`, mac: `Command-${key}` }, exec });
    }
    section.editor = editor;
  };
  document.querySelector("[data-keys]").hidden = false;

  form.addEventListener("input", () => { changed = true; });
  form.addEventListener("submit", () => { changed = false; });
  document.addEventListener("htmx:afterSwap", (event) => {
    const refused = document.querySelector("#tried [role=alert]");
    if (event.detail.requestConfig.verb === "post" && !refused) changed = false;
  });
  window.addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
}
