// A box in the header of <table class="choosable"> that ticks the boxes of all its rows.
"use strict";

document.querySelectorAll("table.choosable").forEach((table) => {
  const rows = () => [...table.tBodies[0].querySelectorAll("input[type=checkbox]")];
  if (rows().length === 0) return;
  const all = document.createElement("input");
  all.type = "checkbox";
  all.setAttribute("aria-label", "Choose all on this page");
  all.addEventListener("change", () => rows().forEach((box) => { box.checked = all.checked; }));
  table.tHead.rows[0].cells[0].append(all);
});
