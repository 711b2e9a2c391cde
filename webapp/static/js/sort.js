// Makes the columns of <table data-sortable> sortable whose header cells carry data-sort.
// A cell may give its own key in data-key. The server's order is the first one shown.
"use strict";

const key = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.key ?? cell.textContent.trim();
};

function compare(a, b) {
  const [x, y] = [Number(a), Number(b)];
  if (a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" });
}

function sortBy(table, header) {
  const descending = header.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((r, s) => {
    const order = compare(key(r, header.cellIndex), key(s, header.cellIndex));
    return descending ? -order : order;
  });
  table.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  body.append(...rows);
}

document.querySelectorAll("table[data-sortable]").forEach((table) => {
  table.querySelectorAll("th[data-sort]").forEach((header) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain sort";
    button.append(...header.childNodes);
    button.addEventListener("click", () => sortBy(table, header));
    header.append(button);
  });
});
