// Moves cards across a board, from where they lay to where they went. It is ornament: the board shows
// the turn at once. Nothing moves for readers who want less motion.
"use strict";

{
  const { el } = Firebox;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // The place of something on a board, which a flight starts from or leads to; null if it is not shown.
  Firebox.placeOf = (board, node) => {
    const box = node?.getBoundingClientRect();
    if (!box?.width) return null;
    const origin = board.getBoundingClientRect();
    return { x: box.left - origin.left, y: box.top - origin.top, width: box.width, height: box.height };
  };

  // Let a drawing fly from one place to another and vanish there.
  Firebox.fly = (board, drawing, from, to, milliseconds) => {
    if (!from || !to || still.matches) return;
    const flyer = el("div", { class: "flying", "aria-hidden": "true", vars: { "--x": `${from.x}px`, "--y": `${from.y}px`, "--w": `${from.width}px` } }, drawing);
    board.append(flyer);
    const x = to.x + to.width / 2 - from.x - from.width / 2;
    const y = to.y + to.height / 2 - from.y - from.height / 2;
    const size = Math.min(to.width / from.width, to.height / from.height, 1);
    const flight = flyer.animate(
      [{}, { opacity: 1, offset: 0.75 }, { transform: `translate(${x}px, ${y}px) scale(${size})`, opacity: 0.2 }],
      { duration: milliseconds, easing: "ease-out" },
    );
    flight.onfinish = () => flyer.remove();
  };

  // End the flights of a turn before the one that is shown now.
  Firebox.land = (board) => board.querySelectorAll(".flying").forEach((each) => each.remove());
}
