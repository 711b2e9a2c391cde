// Shows one file at a time, by tabs as screen readers know them: arrow keys go from one to another.
"use strict";

{
  const sections = [...document.querySelectorAll(".editor-file")];
  const list = document.querySelector("#editor [role=tablist]");
  const form = document.getElementById("editor");
  const shown = document.createElement("input");
  Object.assign(shown, { type: "hidden", name: "file" });
  form.append(shown);

  window.showFile = (name, line = 0) => {
    const chosen = sections.find((section) => section.dataset.name === name) ?? sections[0];
    for (const section of sections) {
      section.hidden = section !== chosen;
      section.tab.setAttribute("aria-selected", String(section === chosen));
      section.tab.tabIndex = section === chosen ? 0 : -1;
    }
    shown.value = chosen.dataset.name;
    window.openEditor(chosen);
    chosen.editor?.resize();
    if (line) chosen.editor?.gotoLine(line, 0);
  };

  sections.forEach((section, at) => {
    const tab = document.createElement("button");
    Object.assign(tab, { type: "button", id: `tab-${section.id}`, className: "plain" });
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", section.id);
    tab.textContent = section.querySelector("label").textContent;
    tab.addEventListener("click", () => window.showFile(section.dataset.name));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      const next = step && sections[(at + step + sections.length) % sections.length];
      if (next) { window.showFile(next.dataset.name); next.tab.focus(); }
    });
    section.setAttribute("role", "tabpanel");
    section.setAttribute("aria-labelledby", tab.id);
    section.querySelector("label").hidden = true;
    section.querySelector("textarea").setAttribute("aria-label", `Text of ${section.dataset.name}`);
    section.tab = tab;
    list.append(tab);
  });
  list.hidden = false;
  if (sections.length) window.showFile(form.dataset.file, Number(form.dataset.line));
}
