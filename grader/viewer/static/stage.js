// A game that plays by itself, a turn at a time: a board, a sentence, a pause button. It stops while
// it is out of sight; for readers who want less motion it waits at a turn to be started.
"use strict";

{
  const TURN = 1200;
  const END = 6000;
  const { el, icon, icons, line } = Firebox;

  class Stage {
    constructor(root, data) {
      this.game = new Firebox.Game(data, 0);
      this.board = this.game.drawing.board(this.game);
      this.board.element.inert = true; // the page has a link to the game itself
      this.sentence = el("p", { class: "sentence" });
      this.bar = el("progress", { max: this.game.last, value: 0, "aria-label": "Turns played" });
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
      const { game } = this;
      const frame = game.at(position);
      this.board.show(frame, { seat: null, moves, game, position });
      this.bar.value = position;
      this.sentence.replaceChildren(el("span", { class: "turn-name" }, game.name(position)), " ", ...(game.isDeal(position) ? [] : line(game.drawing, frame.said)));
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
      const last = this.position === this.game.last;
      this.timer = setTimeout(() => { this.show(last ? 0 : this.position + 1); this.wait(); }, last ? END : TURN);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const root = document.querySelector("[data-stage]");
    const data = document.querySelector("script[data-stage-game]");
    if (root && data) root.stage = new Stage(root, JSON.parse(data.textContent));
  });
}
