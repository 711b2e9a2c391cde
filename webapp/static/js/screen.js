// A leaderboard for a lecture room: pages turn by themselves, the one that is shown is refreshed.
// Space pauses, arrows turn pages, Escape leaves.
"use strict";

{
  const TURN = 20_000;
  let screen = document.getElementById("screen");
  let paused = false;
  let turning;
  let asked = null;

  const tell = () => {
    const button = screen.querySelector("[data-act='pause']");
    if (button) button.textContent = paused ? "Resume" : "Pause";
  };

  // The page that is shown stays without an answer, and where a form to sign in or a late page is the answer.
  const show = async (query) => {
    asked?.abort();
    const { signal } = (asked = new AbortController());
    const text = await fetch(query, { signal }).then((answer) => answer.ok && answer.text()).catch(() => null);
    if (!signal.aborted) asked = null;
    if (!text || signal.aborted) return;
    const next = new DOMParser().parseFromString(text, "text/html").getElementById("screen");
    if (!next) return;
    const focused = document.activeElement?.dataset?.act;
    screen.replaceWith(next);
    screen = next;
    tell();
    if (focused) screen.querySelector(`[data-act="${focused}"]`)?.focus();
  };

  const later = () => {
    clearTimeout(turning);
    if (!paused && Number(screen.dataset.pages) > 1) turning = setTimeout(acts.next, TURN);
  };
  const turn = (way) => show(screen.dataset[way]).then(later);
  const refresh = async () => {
    if (!document.hidden && !asked) await show(screen.dataset.here);
    setTimeout(refresh, Number(screen.dataset.every) * 1000);
  };

  const acts = {
    next: () => turn("next"),
    previous: () => turn("previous"),
    pause: () => { paused = !paused; tell(); later(); },
    leave: () => { location.href = screen.dataset.leave; },
  };
  const keys = { ArrowRight: "next", ArrowLeft: "previous", " ": "pause", Escape: "leave" };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    if (event.key === " " && event.target.matches("button, a")) return;
    event.preventDefault();
    acts[keys[event.key]]();
  });
  document.addEventListener("click", (event) => acts[event.target.closest("[data-act]")?.dataset.act]?.());
  setTimeout(refresh, Number(screen.dataset.every) * 1000);
  later();
}
