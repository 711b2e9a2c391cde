// A table at which a person plays: the viewer's board, of which only the person's own seat is seen, the
// moves that the rules allow, and what the agents do as it comes. It holds no rules.
"use strict";

{
  const { el, icon, icons, line } = Firebox;
  const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 300 : 700; // ms between agents' moves
  const NARROW = matchMedia("(width < 48rem)");
  const POLL = 1000;
  const RETRY = 3000;
  const DRAG = 8; // px after which a card is dragged
  const CARDS = ".pick, .own .slot button";
  const HOME = ".seat.south, .hand.own"; // where a card is put back
  const KEYS = [
    ["1 2 …", "choose, from the left"], ["← →", "choose the next"], ["Enter", "play it"], ["h", "hints; then arrows"],
    ["Esc", "take back the choice; return to now"], ["b", "look back one move"], ["?", "this list"],
  ];

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
      this.act = drawing.act?.(this) ?? { usual: () => "Choose a move." };
      this.board = drawing.board(this.main, this);
      this.moves = Firebox.moves(this);
      this.status = el("p", { class: "sentence", role: "status", tabindex: "-1" });
      this.before = el("p", { class: "soft last-move" });
      this.panel = el("div", { class: "choice" });
      this.back = Firebox.button("Back one move", icon(icons.back), () => this.step(-1));
      this.forward = Firebox.button("Forward one move", icon(icons.forward), () => this.step(1));
      const transport = el("div", { class: "transport", role: "group", "aria-label": "Moves" }, this.back, this.forward);
      this.bar = el("div", { class: "play-bar" }, el("div", { class: "play-words" }, this.status, this.before), this.panel, transport);
      Object.assign(this.root.dataset, { game: data.game, seats: data.seats.length, games: 1 });
      const about = Firebox.fold("This game", data.title, document.querySelector("[data-table-about]"), Firebox.keyList(KEYS.filter(([key]) => (this.me === null || !drawing.act ? "b?".includes(key) : key !== "h" || this.act.hints))));
      const list = this.form.closest("details");
      list.hidden = this.me === null || !drawing.act;
      list.open = false;
      this.root.replaceChildren(
        el("div", { class: "stage" }, this.board.element, this.me === null || drawing.act ? null : this.form, this.bar),
        el("div", { class: "side" }, Firebox.fold("Moves", this.me === null ? "you are watching" : `you are seat ${this.me + 1}`, this.moves.element), el("div", { class: "side-more" }, about)));
      if (this.me !== null) document.querySelector("[data-viewer-tools]").prepend(this.quickBox());
    }

    // The setting that one click plays a card, or a drag: kept by the browser, off at first.
    quickBox() {
      const keep = (on) => { this.root.toggleAttribute("data-quick", on); };
      const box = el("input", { type: "checkbox", id: "quick", on: { change: () => { keep(box.checked); Firebox.kept("one-click", box.checked); } } });
      box.checked = Firebox.kept("one-click");
      keep(box.checked);
      return el("span", { class: "quick-box" }, box, el("label", { for: "quick" }, "Play by one click or drag"));
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

    get looksBack() { return this.position < this.seen; }

    get isDue() { return this.acts === this.me && this.seen === this.main.last && !this.busy && !this.lost; }

    get isMine() { return this.isDue && !this.looksBack; }

    get isQuick() { return this.root.hasAttribute("data-quick"); }

    // To the step before or after, of those that were seen.
    step(by) {
      let position = this.position + by;
      while (position > 0 && position < this.seen && !this.stop(position)) position += by;
      if (position >= 0 && position <= this.seen) this.show(position, { still: true });
    }

    show(position, { still = false } = {}) {
      const moves = !still && position > this.position;
      const wasBack = this.looksBack;
      this.position = Math.max(0, Math.min(position, this.main.last));
      this.seen = Math.max(this.seen, this.position);
      if (!this.isMine) this.chosen = null;
      const focused = document.activeElement?.dataset?.key;
      this.board.show(this.main.at(this.position), this.view(moves));
      if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
      this.tell();
      this.fillPanel();
      this.fillList();
      this.back.disabled = this.position === 0;
      this.forward.disabled = !this.looksBack;
      this.moves.show(); // the last: it asks where its rows lie, so the page is laid out once
      if (wasBack && !this.looksBack && this.seen < this.main.last) this.advance();
    }

    view(moves) {
      return {
        seat: this.me, me: this.me, moves, game: this.main, position: this.position,
        chosen: (key) => this.chosen?.key === String(key),
        touched: (seat, card) => this.act.touches?.(seat, card) ?? false,
        pick: (key) => this.act.pick(key),
        pickable: (key, drawing) => this.act.pickable?.(key, drawing) ?? drawing,
        below: (seat) => (this.me === null ? null : this.act.below?.(seat) ?? null),
      };
    }

    tell() {
      const frame = this.main.at(this.position);
      const said = this.main.isDeal(this.position) ? [] : this.act.said?.(frame, this.main.at(this.position - 1)) ?? line(this.main.drawing, frame.said);
      this.before.replaceChildren(...said, frame.effect ? ` ${frame.effect}.` : "");
      const now = this.lost ? ["Reconnecting…"] : this.refused ? [this.refused] : this.looksBack ? ["Looking back. ", this.isDue ? "It is still your turn." : ""] : this.isMine ? ["Your turn. ", this.act.usual()] : this.waiting();
      if (this.status.textContent !== now.join("")) this.status.replaceChildren(el("b", {}, now[0]), ...now.slice(1));
      const title = document.title.replace(/^(Your turn: )?/, this.isDue ? "Your turn: " : "");
      if (document.title !== title) document.title = title;
    }

    waiting() {
      const seat = this.main.at(this.seen).to_act;
      return seat === null ? ["The game is over."] : seat === this.me ? ["One moment…"] : [`Seat ${seat + 1} is thinking. `, this.main.data.seats[seat].name];
    }

    // What can be done with what was chosen; every move of it a button, named as in the list.
    fillPanel() {
      if (this.looksBack) return this.panel.replaceChildren(el("div", { class: "actions" }, el("button", { type: "button", class: "primary", "data-key": "now", on: { click: () => this.show(this.seen, { still: true }) } }, "Return to now")));
      const button = (each, at) => el("button", { type: "button", class: at ? null : "primary", "data-key": `do ${each.move}`, on: { click: () => this.send(each.move) } }, each.short ?? each.words);
      const others = this.act.others?.() ?? [];
      if (!this.chosen) return this.panel.replaceChildren(...(others.length ? [el("div", { class: "actions" }, others.map(button))] : []));
      const { title, options } = this.chosen;
      this.panel.replaceChildren(
        el("p", {}, title),
        el("div", { class: "actions" },
          options.map(button),
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

    // The second time around a choice with one move is made, or the first time if one click plays; one of
    // several cards is made by its button.
    choose(chosen) {
      if (chosen?.key && (this.isQuick || this.chosen?.key === chosen.key) && chosen.options.length === 1) return this.send(chosen.options[0].move);
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

    // One agent's move after another, so that they can be followed; moves that are one step at once. Those
    // that come while a person looks back wait for their return.
    advance() {
      clearTimeout(this.timer);
      const { last, frames } = this.main;
      if (this.looksBack) {
        this.tell();
        return this.wait();
      }
      let next = Math.min(this.seen + 1, last);
      while (next < last && this.act.joins?.(frames[next], frames[next + 1])) next += 1;
      this.show(next, { still: this.position === last });
      if (next < last) this.timer = setTimeout(() => this.advance(), PACE);
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
      document.addEventListener("keydown", (event) => this.key(event));
      this.root.addEventListener("pointerdown", (event) => this.drag(event));
    }

    key(event) {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input:not([type='checkbox']), select, textarea, pre")) return;
      if (key === "Enter" && target.matches("a, button, summary, input")) return;
      const act = /^[0-9]$/.test(key) ? () => this.cards()[(Number(key) + 9) % 10]?.click() : this.keys()[key];
      if (!act) return;
      event.preventDefault();
      act();
    }

    keys() {
      return {
        ArrowLeft: () => this.turnTo(-1),
        ArrowRight: () => this.turnTo(1),
        Enter: () => this.chosen?.options.length && this.send(this.chosen.options[0].move),
        Escape: () => (this.looksBack ? this.show(this.seen, { still: true }) : this.chosen && this.choose(null)),
        b: () => this.step(-1),
        h: () => this.act.hints?.(),
        "?": () => Firebox.showKeys(this.root),
      };
    }

    // The cards that can be chosen, in their order.
    cards() { return this.isMine ? [...this.root.querySelectorAll(CARDS)] : []; }

    // To the next card of one's own, which is chosen unless that would play it, or to the next move.
    turnTo(by) {
      if (this.looksBack) return this.step(by);
      const cards = this.cards();
      const at = cards.findIndex((card) => card === document.activeElement || (this.chosen?.key && card.matches("[aria-pressed='true']")));
      const next = cards.at(at < 0 ? Math.min(by, 0) : (at + by) % cards.length);
      next?.focus();
      if (next && !this.isQuick && !this.act.isPassing?.()) next.click();
    }

    // --- Dragging a card ----------------------------------------------------------------------

    drag(down) {
      const button = down.target.closest(CARDS);
      const drops = button && this.isQuick && !down.button ? this.act.drops?.(button.dataset.key) ?? [] : [];
      if (!drops.length) return;
      const card = button.parentElement;
      const listening = new AbortController();
      let moved = false;
      const move = ({ clientX, clientY }) => {
        const [x, y] = [clientX - down.clientX, clientY - down.clientY];
        moved ||= Math.hypot(x, y) > DRAG;
        if (!moved) return;
        card.classList.add("dragged");
        card.style.translate = `${x}px ${y}px`;
      };
      const end = ({ type, clientX, clientY }) => {
        listening.abort();
        if (!moved) return;
        const under = document.elementsFromPoint(clientX, clientY);
        const isBack = under.some((each) => each.matches(HOME));
        const drop = isBack ? null : drops.find(([place]) => under.some((each) => each.matches(place)));
        card.classList.remove("dragged");
        card.style.translate = "";
        // The browser takes a button that is let go of for one that was clicked.
        const swallow = (click) => click.stopPropagation();
        window.addEventListener("click", swallow, { capture: true, once: true });
        setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
        if (drop && type === "pointerup") this.send(drop[1]);
      };
      const { signal } = listening;
      window.addEventListener("pointermove", move, { signal });
      window.addEventListener("pointerup", end, { signal });
      window.addEventListener("pointercancel", end, { signal });
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const root = document.getElementById("viewer");
    const data = document.querySelector("script[data-play-game]");
    if (root && data) root.table = new Table(root, JSON.parse(data.textContent), document.getElementById("moves"));
  });

}
