// A box in the header of <table class="choosable"> that ticks the boxes of all its rows.
"use strict";

{
  const addBox = (table) => {
    const rows = () => [...table.tBodies[0].querySelectorAll("input[type=checkbox]")];
    const head = table.tHead.rows[0].cells[0];
    if (rows().length === 0 || head.querySelector("input")) return;
    const all = document.createElement("input");
    all.type = "checkbox";
    all.setAttribute("aria-label", "Choose all on this page");
    all.addEventListener("change", () => rows().forEach((box) => { box.checked = all.checked; }));
    head.append(all);
  };
  const addBoxes = () => document.querySelectorAll("table.choosable").forEach(addBox);
  addBoxes();
  document.addEventListener("htmx:afterSettle", addBoxes);
}
