// A game that plays by itself, a turn at a time: a board, a sentence, a pause button. It stops while
// it is out of sight; for readers who want less motion it waits at a turn to be started.
"use strict";

{
  const TURN = 1200;
  const END = 6000;
  const { el, icon, icons, line } = Firebox;

  class Stage {
    constructor(root, data) {
      this.data = data;
      this.drawing = Firebox.games[data.game];
      this.frames = [data.first];
      data.turns.forEach((changed) => this.frames.push({ ...this.frames.at(-1), ...changed }));
      this.boardName = "Board";
      this.board = this.drawing.board(this);
      this.board.element.inert = true; // the page has a link to the game itself
      this.sentence = el("p", { class: "sentence" });
      this.bar = el("progress", { max: this.frames.length - 1, value: 0, "aria-label": "Turns played" });
      this.button = el("button", { type: "button", class: "primary", on: { click: () => this.toggle() } });
      root.dataset.seats = data.seats.length;
      root.replaceChildren(this.board.element,
        el("div", { class: "stage-dock" }, this.button, this.sentence, this.bar, ...root.children));
      this.still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.show(Number(root.dataset.stage));
      this.play(!this.still);
      new IntersectionObserver(([seen]) => { this.seen = seen.isIntersecting; this.wait(); }).observe(root);
    }

    show(position) {
      const moves = position === this.position + 1;
      this.position = position;
      const frame = this.frames[position];
      this.board.show(frame, { seat: null, moves, game: this, position });
      this.bar.value = position;
      const title = position ? `Turn ${position - 1}` : "The deal";
      this.sentence.replaceChildren(el("span", { class: "turn-name" }, title), " ", ...(position ? line(this.drawing, frame.said) : []));
    }

    play(on) {
      this.playing = on;
      const words = on ? "Pause" : "Play";
      this.button.replaceChildren(icon(on ? icons.pause : icons.play));
      this.button.setAttribute("aria-label", words);
      this.button.title = words;
      this.wait();
    }

    toggle() { this.play(!this.playing); }

    wait() {
      clearTimeout(this.timer);
      if (!this.playing || !this.seen) return;
      const last = this.position === this.frames.length - 1;
      this.timer = setTimeout(() => { this.show(last ? 0 : this.position + 1); this.wait(); }, last ? END : TURN);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const root = document.querySelector("[data-stage]");
    const data = document.querySelector("script[data-stage-game]");
    if (root && data) root.stage = new Stage(root, JSON.parse(data.textContent));
  });
}
