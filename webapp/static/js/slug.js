// Suggests the short name in addresses while a title is typed, until the user enters one.
"use strict";

const suggest = (title) =>
  title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 50);

const title = document.querySelector("[name=title]");
const slug = document.querySelector("[name=slug]");

if (title && slug && !slug.value) {
  let own = false;
  slug.addEventListener("input", () => {
    own = slug.value !== "";
  });
  title.addEventListener("input", () => {
    if (!own) slug.value = suggest(title.value);
  });
}
