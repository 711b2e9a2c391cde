// A table at which a person plays: the viewer's board, of which only the person's own seat is seen, the
// moves that the rules allow, and what the agents do as it comes. It holds no rules.
"use strict";

{
  const { el, line } = Firebox;
  const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 300 : 700; // ms between agents' moves
  const NARROW = matchMedia("(width < 48rem)");
  const POLL = 1000;
  const RETRY = 3000;

  class Table {
    constructor(root, data, form) {
      this.root = root;
      this.form = form;
      this.main = new Firebox.Game(data, 0);
      this.games = [this.main];
      this.me = data.me;
      this.position = this.seen = this.main.last;
      this.chosen = null;
      this.busy = false;
      this.take(data);
      this.build();
      this.show(this.position, { still: true });
      if (NARROW.matches) this.board.element.scrollIntoView({ block: "nearest" });
      this.listen();
      this.wait();
    }

    // --- What is there ----------------------------------------------------------------------

    build() {
      const { data, drawing } = this.main;
      this.act = drawing.act?.(this) ?? { usual: () => "Choose a move from the list." };
      this.board = drawing.board(this.main, this);
      this.moves = Firebox.moves(this);
      this.status = el("p", { class: "sentence", role: "status", tabindex: "-1" });
      this.before = el("p", { class: "soft last-move" });
      this.panel = el("div", { class: "choice" });
      this.bar = el("div", { class: "play-bar" }, el("div", { class: "play-words" }, this.status, this.before), this.panel);
      Object.assign(this.root.dataset, { game: data.game, seats: data.seats.length, games: 1 });
      const seats = data.seats.map((seat, index) => [el("dt", {}, `Seat ${index + 1}`), el("dd", {}, seat.own ? el("strong", {}, "you") : seat.name)]);
      const about = Firebox.fold("This game", data.title, el("dl", { class: "facts" }, seats, el("dt", {}, "Counts"), el("dd", {}, "no, this is for fun")));
      this.root.replaceChildren(
        el("div", { class: "stage" }, this.board.element, this.bar),
        el("div", { class: "side" }, Firebox.fold("Moves", `you are seat ${this.me + 1}`, this.moves.element), el("div", { class: "side-more" }, about)));
      this.form.closest("details").open = false;
    }

    // --- What the lists of the viewer ask for -----------------------------------------------

    // What was seen so far: the list of moves never runs ahead of the board.
    part() {
      if (this.shownPart?.last !== this.seen) this.shownPart = { first: 0, last: this.seen };
      return this.shownPart;
    }

    // Whether a position is the last one of a step: of moves that are shown as one.
    stop(position) {
      const { frames } = this.main;
      return position >= this.seen || !this.act.joins?.(frames[position], frames[position + 1]);
    }

    // A row of the list for moves that are one step.
    deeds(first, last) { return this.act.deeds(this.main.frames.slice(first, last + 1)); }

    query(position) { return `turn=${this.main.address(position)}`; }

    pause() {}

    // --- What is shown ----------------------------------------------------------------------

    get isMine() { return this.acts === this.me && this.position === this.main.last && !this.busy && !this.lost; }

    show(position, { still = false } = {}) {
      const moves = !still && position > this.position;
      this.position = Math.max(0, Math.min(position, this.main.last));
      this.seen = Math.max(this.seen, this.position);
      if (!this.isMine) this.chosen = null;
      const focused = document.activeElement?.dataset?.key;
      this.board.show(this.main.at(this.position), this.view(moves));
      if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
      this.tell();
      this.fillPanel();
      this.fillList();
      this.moves.show(); // the last: it asks where its rows lie, so the page is laid out once
    }

    view(moves) {
      return {
        seat: this.me, me: this.me, moves, game: this.main, position: this.position,
        chosen: (key) => this.chosen?.key === String(key),
        touched: (seat, card) => this.act.touches?.(seat, card) ?? false,
        pick: (key) => this.act.pick(key),
        pickable: (key, drawing) => this.act.pickable?.(key, drawing) ?? drawing,
        below: (seat) => this.act.below?.(seat) ?? null,
      };
    }

    tell() {
      const frame = this.main.at(this.position);
      const said = this.main.isDeal(this.position) ? [] : this.act.said?.(frame, this.main.at(this.position - 1)) ?? line(this.main.drawing, frame.said);
      this.before.replaceChildren(...said, frame.effect ? ` ${frame.effect}.` : "");
      const now = this.lost ? ["Reconnecting…"] : this.refused ? [this.refused] : this.position < this.main.last ? this.looking() : this.isMine ? ["Your turn. ", this.act.usual()] : this.waiting();
      if (this.status.textContent !== now.join("")) this.status.replaceChildren(el("b", {}, now[0]), ...now.slice(1));
      document.title = document.title.replace(/^(Your turn: )?/, this.isMine ? "Your turn: " : "");
    }

    looking() { return this.queued ? this.waiting() : ["Looking back. ", "The last move in the list leads on."]; }

    waiting() {
      const seat = this.main.at(this.position).to_act;
      return seat === null ? ["The game is over."] : seat === this.me ? ["One moment…"] : [`Seat ${seat + 1} is thinking. `, this.main.data.seats[seat].name];
    }

    // What can be done with what was chosen; every move of it a button, named as in the list.
    fillPanel() {
      if (!this.chosen) return this.panel.replaceChildren();
      const { title, options } = this.chosen;
      this.panel.replaceChildren(
        el("p", {}, title),
        el("div", { class: "actions" },
          options.map((each, at) => el("button", { type: "button", class: at ? null : "primary", "data-key": `do ${each.move}`, on: { click: () => this.send(each.move) } }, each.short ?? each.words)),
          el("button", { type: "button", on: { click: () => this.choose(null) } }, "Cancel")));
    }

    // The list of all moves, as the page has it without scripts. Of moves that are made together
    // each is chosen first.
    fillList() {
      const box = this.form.querySelector("[data-moves]");
      const moves = this.isMine ? this.legal : [];
      box.replaceChildren(...moves.map((each) => el("button", { name: "move", value: each.move, "data-key": `list ${each.move}`, "aria-pressed": this.act.gathers?.(each.action) ? String(this.holds(each.action.card)) : null }, each.words)));
      if (!moves.length) box.replaceChildren(el("p", { class: "soft" }, "It is not your turn."));
      this.form.elements.turn.value = this.turn;
    }

    // --- What can be done -------------------------------------------------------------------

    // Of the legal moves those for whose action this is true.
    legalFor(test) { return this.isMine ? this.legal.filter((each) => test(each.action)) : []; }

    // Whether a card is chosen: by itself, or with others.
    holds(card) { return this.chosen?.key === card || Boolean(this.chosen?.cards?.includes(card)); }

    // The second time around a choice with one move is made; one of several cards is made by its button.
    choose(chosen) {
      if (chosen?.key && this.chosen?.key === chosen.key && chosen.options.length === 1) return this.send(chosen.options[0].move);
      const last = this.chosen;
      this.chosen = chosen?.options.length || chosen?.cards?.length ? chosen : null;
      this.show(this.position, { still: true });
      if (this.chosen?.options.length) this.panel.querySelector("button")?.focus({ preventScroll: true });
      else if (this.chosen) return;
      else if (last?.focus) this.root.querySelector(`[data-key="${CSS.escape(last.focus)}"]`)?.focus();
    }

    async send(move) {
      if (!this.isMine) return;
      this.busy = true;
      this.chosen = this.refused = null;
      this.show(this.position, { still: true });
      this.status.focus({ preventScroll: true });
      const fields = new FormData(this.form);
      fields.set("turn", this.turn);
      fields.set("move", move);
      await this.ask(this.form.action, { method: "POST", body: fields });
    }

    // --- What comes -------------------------------------------------------------------------

    async ask(address, options = {}) {
      clearTimeout(this.timer);
      try {
        const response = await fetch(address, { ...options, headers: { Accept: "application/json" } });
        // Signing in anew makes the form's token useless: the page brings a fresh one, and the same table.
        if (response.status === 403 && options.body) return location.reload();
        if (response.redirected || !response.headers.get("Content-Type")?.startsWith("application/json")) return this.signedOut(response);
        const was = this.lost;
        this.lost = false;
        const update = await response.json();
        if (update.over) return this.leave(update.turn);
        const news = this.take(update);
        if (!news && !this.busy && !was) return this.wait();
      } catch {
        this.lost = true;
      }
      this.busy = false;
      this.advance();
    }

    signedOut(response) {
      if (response.redirected) document.getElementById("signed-out").hidden = false;
      this.lost = true;
      this.busy = false;
      this.tell();
      this.wait();
    }

    // To the page of a game that is over: to the fault that ended it, if one did, or to its last turn. Until
    // it comes, nothing is to be done here, and asking again would begin the way there anew.
    leave(turn) {
      this.busy = true;
      location.assign(`${location.pathname}?turn=${turn}`);
    }

    take(update) {
      this.refused = update.refused;
      const stuck = document.getElementById("stuck");
      if (stuck && update !== this.main.data) stuck.hidden = !update.stuck;
      if (update.legal === undefined) return Boolean(update.refused);
      const { frames, data } = this.main;
      if (update !== data) {
        this.main.add(update.turns.slice(frames.length - 1 - update.seen));
        data.charged_us.splice(update.turn - update.charged_us.length, Infinity, ...update.charged_us);
      }
      Object.assign(this, { turn: update.turn, acts: update.acts, legal: update.legal });
      return true;
    }

    // One agent's move after another, so that they can be followed; moves that are one step at once.
    advance() {
      clearTimeout(this.timer);
      const { last, frames } = this.main;
      let next = Math.min(this.position + 1, last);
      while (next < last && this.act.joins?.(frames[next], frames[next + 1])) next += 1;
      this.queued = next < last;
      this.show(next, { still: this.position === last });
      if (this.queued) this.timer = setTimeout(() => this.advance(), PACE);
      else this.wait();
    }

    wait() {
      clearTimeout(this.timer);
      if (this.acts === this.me && !this.lost) return;
      this.timer = setTimeout(() => this.ask(`${this.root.dataset.turns}?since=${this.turn}`), this.lost ? RETRY : POLL);
    }

    // --- Keys -------------------------------------------------------------------------------

    listen() {
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        const listed = this.legal.find((each) => each.move === event.submitter?.value);
        if (listed && this.act.gathers?.(listed.action)) this.act.pick(listed.action.card);
        else if (listed) this.send(listed.move);
      });
      document.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && this.chosen) this.choose(null);
      });
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const root = document.getElementById("viewer");
    const data = document.querySelector("script[data-play-game]");
    if (root && data) root.table = new Table(root, JSON.parse(data.textContent), document.getElementById("moves"));
  });

}
