// All games by score: a click on a square opens its game; a choice lists the games of a column.
"use strict";

{
  const LISTED = 12;

  const list = (strip) => {
    const choice = strip.querySelector("[data-strip-choice]");
    const games = choice.selectedOptions[0].dataset.games.split(",");
    const links = games.slice(0, LISTED).map((index) => {
      const link = document.createElement("a");
      link.className = "chip";
      link.href = `${strip.dataset.gameAddress}${index}/`;
      link.textContent = index;
      return link;
    });
    const more = games.length > LISTED ? [`and ${games.length - LISTED} more`] : [];
    strip.querySelector("[data-strip-list]").replaceChildren(...links, ...more);
    const column = choice.selectedOptions[0].dataset.column;
    strip.querySelectorAll(".pick").forEach((pick) =>
      pick.classList.toggle("picked", pick.dataset.column === column));
  };

  // The square under a point: squares stand in rows of so many, from the floor up.
  const square = (svg, place, event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const side = Number(svg.dataset.side);
    const across = Math.floor((point.x - Number(place.dataset.left)) / side);
    const up = Math.floor((Number(place.dataset.floor) - point.y) / side);
    const abreast = Number(svg.dataset.abreast);
    return across < 0 || across >= abreast || up < 0 ? -1 : up * abreast + across;
  };

  const open = (strip, event) => {
    const choice = strip.querySelector("[data-strip-choice]");
    const pick = event.target.closest(".pick");
    if (!choice || !pick) return;
    const option = [...choice.options].find((each) => each.dataset.column === pick.dataset.column);
    const games = option.dataset.games.split(",");
    const at = square(pick.ownerSVGElement, pick.nextElementSibling, event);
    if (at in games) location.assign(`${strip.dataset.gameAddress}${games[at]}/`);
    choice.value = option.value;
    list(strip);
  };

  const begin = (root) => root.querySelectorAll("[data-strip]").forEach((strip) => {
    if (strip.querySelector("[data-strip-choice]")) list(strip);
  });

  document.addEventListener("click", (event) => {
    const strip = event.target.closest("[data-strip]");
    if (strip) open(strip, event);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-strip-choice]")) list(event.target.closest("[data-strip]"));
  });
  document.addEventListener("htmx:load", (event) => begin(event.target.parentElement ?? document));
  begin(document);
}
