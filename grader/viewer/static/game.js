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

  // Above a board: who sits where, with the piece of each seat if it has one, and who is to act.
  Firebox.places = (game, pieceOf = () => null) => {
    const { el } = Firebox;
    const element = el("div", { class: "places" });
    const place = (frame, index, view) =>
      el("p", { class: frame.to_act === index ? "acts" : null },
        pieceOf(index),
        el("b", {}, view.me === index ? "You" : `Seat ${index + 1}`), " ",
        view.me === index ? null : el("span", { class: "name" }, game.data.seats[index].name),
        frame.to_act === index ? el("span", { class: "to-act" }, "to act") : null);
    const show = (frame, view) => element.replaceChildren(...game.data.seats.map((_, index) => place(frame, index, view)));
    return { element, show };
  };

  // Cards, dice or counters that lie together, as the server draws them as well.
  const row = ({ title, seat, cards, note }, me) => {
    const { el, hidden } = Firebox;
    const card = (face) => (face
      ? el("li", { class: "suit-plain" }, el("b", {}, face))
      : el("li", { class: "back" }, hidden("face down")));
    return el("div", { class: "still-row", role: "group", "aria-label": title },
      el("p", {}, el("b", {}, seat !== null && seat === me ? "You" : title), note ? el("span", { class: "soft" }, ` · ${note}`) : null),
      cards.length ? el("ol", {}, cards.map(card)) : null);
  };

  // A game without drawings of its own: its rows, or its table as text.
  Firebox.games.text = {
    symbols: {},
    board: (game) => {
      const { el } = Firebox;
      const places = Firebox.places(game);
      const table = game.data.first.rows ? el("div", { class: "still-table" }) : el("pre", { tabindex: "0", "aria-label": "The table" });
      const show = (frame, view) => {
        places.show(frame, view);
        table.replaceChildren(...(frame.rows ? frame.rows.map((each) => row(each, view.me)) : [frame.text]));
      };
      return { element: el("section", { class: "board text-board", "aria-label": game.boardName }, places.element, table), show };
    },
  };
}
