// A leaderboard that is played: updates wait while they are paused or a field of the board has the
// focus; rows slide to their new ranks.
"use strict";

{
  const SLOW = 400;
  const TINT = 10_000;
  const pause = document.querySelector("[data-pause]");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  let paused = false;
  let before = new Map();

  const rows = () => [...document.querySelectorAll("#board tr[data-team]")];
  const isBusy = () => document.activeElement?.closest("#board, .find") !== null && document.activeElement !== document.body;

  const move = (row) => {
    const then = before.get(row.dataset.team);
    if (then === undefined || then.rank === row.dataset.rank) return;
    row.classList.add("moved");
    setTimeout(() => row.classList.remove("moved"), TINT);
    const distance = then.top - row.getBoundingClientRect().top;
    if (!still.matches) row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], { duration: SLOW, easing: "ease-out" });
  };

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.closest("#board") && (paused || isBusy())) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSwap", () => {
    before = new Map(rows().map((row) => [row.dataset.team, { top: row.getBoundingClientRect().top, rank: row.dataset.rank }]));
  });
  document.addEventListener("htmx:afterSettle", () => rows().forEach(move));

  pause.hidden = false;
  pause.addEventListener("click", () => {
    paused = !paused;
    pause.textContent = paused ? "Resume updates" : "Pause updates";
  });
}
