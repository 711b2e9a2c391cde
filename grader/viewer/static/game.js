// A recorded game: its scenes, restored from the page's data, and the turns that they belong to. A scene
// is a turn, or a deal.
"use strict";

{
  class Game {
    constructor(data, index) {
      this.data = data;
      this.index = index;
      this.frames = [data.first];
      this.add(data.turns);
      this.drawing = Firebox.games[data.game] ?? (data.grid ? Firebox.games.grid : Firebox.games.text);
      this.boardName = data.label ? `Board of ${data.label}` : "Board";
      this.own = Math.max(data.seats.findIndex((seat) => seat.own), 0);
    }

    // Further scenes, each by what it changes of the one before.
    add(changes) {
      for (const changed of changes) this.frames.push({ ...this.frames.at(-1), ...changed });
      this.last = this.frames.length - 1;
      // Of each scene the number of the turn that led to it: of a deal that of the turn before, of the first -1.
      let turn = -1;
      this.turns = this.frames.map((frame) => (frame.seat === null ? turn : ++turn));
    }

    at(position) { return this.frames[Math.min(position, this.last)]; }

    isDeal(position) { return this.at(position).seat === null; }

    name(position) { return this.isDeal(position) ? "The deal" : `Turn ${this.turns[position]}`; }

    // The last turn's number; the first is turn 0.
    get lastTurn() { return this.turns.at(-1); }

    // A position as addresses have it: a turn's number, or the deal, a later one with its part's number.
    address(position) {
      if (!this.isDeal(position)) return String(this.turns[position]);
      return position ? `deal${this.at(position).part}` : "deal";
    }

    // The position that an address names; null for one that names none.
    position(address) {
      const deals = address?.startsWith("deal") ? [...this.frames.keys()].filter((at) => this.isDeal(at)) : null;
      if (deals) return deals.find((at) => this.address(at) === address) ?? 0;
      const turn = Number.parseInt(address ?? "", 10);
      if (Number.isNaN(turn)) return null;
      return turn > this.lastTurn ? this.last : Math.max(this.turns.indexOf(turn), 0);
    }

    charged(position) {
      return this.isDeal(position) ? null : this.data.charged_us[this.turns[position]] ?? null;
    }

    // What was printed before the first turn belongs to the first deal; later deals are nobody's turn.
    printed(position) {
      if (position && this.isDeal(position)) return [];
      return this.data.printed.filter(([turn]) => turn === this.turns[position]);
    }
  }

  Firebox.Game = Game;

  // A game without drawings of its own: its table as text.
  Firebox.games.text = {
    symbols: {},
    board: () => {
      const element = Firebox.el("pre", { class: "text-board", tabindex: "0", "aria-label": "The table" });
      return { element, show: (frame) => { element.textContent = frame.text; } };
    },
  };
}
