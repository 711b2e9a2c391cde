// A game that is watched plays by itself; when it has been shown, the newest one then follows.
"use strict";

{
  const POLL = 2000;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

  const ask = async (note) => {
    const answer = await fetch(note.dataset.watchNext, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { address, over } = await answer.json();
    if (address) location.replace(address);
    else if (over) {
      note.querySelector("[data-watch-words]").textContent = "That was the last game.";
    }
    return Boolean(address) || over;
  };

  // Asks only at the end of a game, so that nobody who has paused or gone back is taken away.
  const follow = (note, viewer) => {
    const later = () => setTimeout(() => follow(note, viewer), POLL);
    if (viewer.timer !== null || viewer.position < viewer.last) return later();
    ask(note).then((ended) => ended || later(), later);
  };

  document.addEventListener("DOMContentLoaded", () => {
    const note = document.querySelector("[data-watch-next]");
    const viewer = document.getElementById("viewer")?.viewer;
    if (!note || !viewer) return;
    if (!still) viewer.toggle();
    follow(note, viewer);
  });
}
