// Shows recorded games step by step: one, or two on the same deal. It holds no rules: the page's data
// has the table after every turn, and a game's own script (Firebox.games) draws it.
"use strict";

{
  const { el, icon, icons, line, plain } = Firebox;
  const SPEEDS = [900, 450, 225];
  const SETTLED = 400; // ms of rest after which a turn is spoken
  const JUMPS = new Set(["loss", "mistake", "fault"]);

  const button = (words, drawing, act, more = {}) =>
    el("button", { type: "button", title: words, "aria-label": words, on: { click: act }, ...more }, drawing);

  class Viewer {
    constructor(root, games) {
      this.root = root;
      this.games = games.map((data, index) => new Firebox.Game(data, index));
      this.main = this.games[0];
      this.longest = this.games.reduce((one, other) => (other.last > one.last ? other : one));
      this.last = this.longest.last;
      this.position = 0;
      this.isLive = root.hasAttribute("data-live");
      this.seat = null;
      this.timer = null;
      this.speed = 0;
      this.parts = this.main.drawing.parts?.(this.main.frames) ?? [{ first: 0, last: this.last }];
      this.jumps = this.positions(this.games.length > 1 ? (at) => this.differs(at) : (at) => this.marked(at));
      this.build();
      this.read();
      this.listen();
    }

    // Positions of which something is true.
    positions(test) {
      return Array.from({ length: this.last + 1 }, (_, at) => at).filter((at) => at > 0 && test(at));
    }

    marked(at) { return JUMPS.has(this.main.frames[at]?.mark); }

    differs(at) {
      const [a, b] = this.games.map((game) => game.frames[at]);
      return !a || !b || plain(a.said) !== plain(b.said);
    }

    // The part of the game that is shown; of one that is watched live, as far as it has been shown.
    shown() {
      const part = this.part();
      return this.isLive ? { ...part, last: Math.min(part.last, this.position) } : part;
    }

    part() { return this.parts.find((part) => this.position <= part.last) ?? this.parts.at(-1); }

    // --- What is there ----------------------------------------------------------------------

    build() {
      this.boards = this.games.map((game) => game.drawing.board(game, this));
      this.side = (this.games.length > 1 ? Firebox.pairList : this.main.drawing.list ?? Firebox.moveList)(this);
      this.spoken = el("p", { class: "sr-only", "aria-live": "polite" });
      this.root.dataset.game = this.main.data.game;
      this.root.dataset.seats = this.main.data.seats.length;
      this.root.dataset.games = this.games.length;
      const boards = this.boards.map((board, index) => this.pane(board, this.games[index]));
      const dock = Firebox.dock(this);
      this.dock = dock;
      const pair = this.games.length > 1;
      const main = pair
        ? [el("div", { class: "panes" }, boards), el("div", { class: "panel-box" }, dock.element, dock.parts, this.side.element)]
        : [el("div", { class: "stage" }, boards, dock.element, dock.parts), this.side.element];
      this.root.replaceChildren(...main, this.spoken);
      const tools = document.querySelector("[data-viewer-tools]") ?? this.root;
      tools.prepend(this.tools());
    }

    pane(board, game) {
      if (this.games.length === 1) return board.element;
      const line = el("p", { class: "pane-line" });
      board.line = line;
      board.ahead = el("span", { class: "ahead" });
      const own = game.data.label ?? game.data.seats[0].name;
      return el("section", { class: "pane", "aria-label": own },
        el("header", {}, el("h2", {}, own), el("span", { class: "soft" }, `${Firebox.result(game.data, game.data.scores[game.own])} in the end`), board.ahead),
        board.element, line);
    }

    tools() {
      const seats = [null, ...this.main.data.seats.keys()];
      this.choices = seats.map((seat) =>
        el("button", {
          type: "button",
          on: { click: () => this.look(seat) },
          "aria-label": seat === null ? null : `As seat ${seat + 1} sees it`,
        }, seat === null ? "All cards" : seat === 0 ? "As seat 1" : String(seat + 1)));
      const group = el("div", { class: "segments", role: "group", "aria-label": "Who sees the cards" }, this.choices);
      if (!this.main.drawing.hides) group.hidden = true;
      return el("div", { class: "viewer-tools" }, this.paneSwitch(), group, this.copyButton());
    }

    // The number of a turn, to go there. The first is turn 0; before it there is the deal.
    turnField() {
      const { lastTurn } = this.longest;
      const go = () => {
        this.pause();
        const position = this.longest.position(String(Math.max(Number.parseInt(this.field.value, 10), 0)));
        if (position !== null) this.show(position, { still: true });
      };
      this.field = el("input", { type: "number", class: "turn-field", min: 0, max: lastTurn, inputmode: "numeric", on: { change: go } });
      return el("label", { class: "go-to", hidden: lastTurn < 0 }, "Turn ", this.field, el("span", { class: "soft" }, ` of ${lastTurn}`));
    }

    // Where there is room for one board only, which of two it is.
    paneSwitch() {
      if (this.games.length === 1) return null;
      const choose = (index) => {
        this.root.dataset.pane = index;
        buttons.forEach((each, at) => each.setAttribute("aria-pressed", String(at === index)));
      };
      const buttons = this.games.map((game) =>
        el("button", { type: "button", on: { click: () => choose(game.index) } }, game.data.label));
      choose(0);
      return el("div", { class: "segments pane-switch", role: "group", "aria-label": "Whose game" }, buttons);
    }

    copyButton() {
      if (!navigator.clipboard) return null;
      const { share, shared } = this.root.dataset;
      const words = el("span", {}, share && !shared ? "Copy link…" : "Copy link to turn");
      const act = async () => {
        // The page of the link asks before a game is shown to anybody.
        if (share && !shared) return location.assign(`${share}?${this.query()}`);
        try {
          await navigator.clipboard.writeText(shared ? `${shared}?${this.query()}` : this.address());
          words.textContent = "Copied";
        } catch {
          words.textContent = "Copy it from the address bar";
        }
        words.classList.add("done");
      };
      return el("button", { type: "button", class: "copy", on: { click: act } }, icon(icons.link), words);
    }

    // --- Where it is ------------------------------------------------------------------------

    query(position = this.position, seat = this.seat) {
      return `turn=${this.longest.address(position)}${seat === null ? "" : `&as=${seat}`}`;
    }

    address(position = this.position) {
      const page = new URL(location.href);
      if (page.protocol === "file:") page.hash = this.query(position);
      else new URLSearchParams(this.query(position)).forEach((value, name) => page.searchParams.set(name, value));
      if (this.seat === null) page.searchParams.delete("as");
      return page.href;
    }

    // What the address asks for; a game that a fault ended opens at the fault.
    read() {
      const given = new URLSearchParams(location.protocol === "file:" ? location.hash.slice(1) : location.search);
      const seat = Number.parseInt(given.get("as") ?? "", 10);
      const end = this.main.frames.at(-1).mark === "fault" ? this.main.last : 0;
      const asked = this.isLive ? 0 : this.longest.position(given.get("turn"));
      this.seat = seat < this.main.data.seats.length && this.main.drawing.hides ? seat : null;
      this.show(asked ?? end, { still: true, quiet: true });
    }

    write() {
      clearTimeout(this.writing);
      this.writing = setTimeout(() => {
        if (location.protocol === "file:") location.replace(`#${this.query()}`);
        else history.replaceState(history.state, "", this.address());
      }, 150); // browsers allow some 200 a minute
    }

    // --- What can be done -------------------------------------------------------------------

    show(position, { still = false, quiet = false } = {}) {
      const before = this.position;
      const focused = this.root.contains(document.activeElement) ? document.activeElement : null;
      this.position = Math.max(0, Math.min(position, this.last));
      if (this.isLive && this.position === this.last) this.reveal();
      const moves = !still && this.position === before + 1;
      this.boards.forEach((board, index) => {
        board.show(this.games[index].at(this.position), { seat: this.seat, moves, game: this.games[index], position: this.position });
        if (board.line) this.showPane(board, this.games[index]);
      });
      this.choices.forEach((choice, index) => choice.setAttribute("aria-pressed", String(index - 1 === (this.seat ?? -1))));
      this.dock.show();
      this.side.show();
      document.querySelectorAll("a[data-at-turn]").forEach((link) => { link.search = this.query(); });
      this.field.value = this.longest.isDeal(this.position) ? "" : this.longest.turns[this.position];
      if (focused?.disabled || (focused && document.activeElement === document.body)) this.refocus(focused.dataset.key);
      if (!quiet) this.write();
      this.speakLater();
    }

    // The page of a game that is watched live tells how it ended once the board has.
    reveal() {
      this.isLive = false;
      this.root.removeAttribute("data-live");
      document.querySelectorAll("[data-at-end]").forEach((each) => { each.hidden = false; });
    }

    // A card that is drawn anew, or a button that is now disabled, lost the focus, and with it the keys.
    refocus(key) {
      const again = key && this.root.querySelector(`[data-key="${CSS.escape(key)}"]`);
      (again || this.root).focus({ preventScroll: true });
    }

    showPane(board, game) {
      const [own, other] = [game, this.games[1 - game.index]].map((each) => each.at(this.position).scores[each.own]);
      const better = (this.main.drawing.fewest ? other - own : own - other);
      board.line.replaceChildren(...this.sentence(game));
      board.ahead.textContent = better > 0 && !this.main.data.results ? `+ ahead by ${Firebox.points(game.data, better)}` : "";
    }

    // A turn in one sentence: its number, what was done, what came of it.
    sentence(game = this.main) {
      const frame = game.at(this.position);
      const words = game.drawing.veiled?.(frame, this.seat) ?? frame.said;
      const over = this.position > game.last ? [el("span", { class: "soft" }, "Over: ")] : [];
      const title = game.drawing.title?.(frame, this.position) ?? game.name(Math.min(this.position, game.last));
      const effect = frame.effect
        ? [" ", el("span", { class: `effect ${frame.tone}` }, frame.effect[0].toUpperCase() + frame.effect.slice(1))]
        : [];
      const said = game.isDeal(this.position) ? [] : line(game.drawing, words);
      return [el("span", { class: "turn-name" }, title), " ", ...over, ...said, ...effect];
    }

    speakLater() {
      clearTimeout(this.speaking);
      if (this.timer !== null) return;
      this.speaking = setTimeout(() => { this.spoken.textContent = this.words(); }, SETTLED);
    }

    words() {
      const texts = this.games.map((game) => {
        const frame = game.at(this.position);
        const said = game.drawing.veiled?.(frame, this.seat) ?? frame.said;
        const isTold = !game.drawing.fewest && (!game.data.results || frame.to_act === null);
        const points = isTold ? Firebox.result(game.data, frame.scores[game.own]) : "";
        const after = [frame.effect, points].filter(Boolean).join(", ");
        return `${this.place(game)}: ${plain(said)} ${after}`.trim();
      });
      return texts.join(" Beside it: ");
    }

    // Where in a game it is: by its number of turns, or as the game counts.
    place(game) {
      const at = Math.min(this.position, game.last);
      const title = game.drawing.title?.(game.at(at), at);
      return title ?? (game.isDeal(at) ? game.name(at) : `${game.name(at)} of ${game.lastTurn}`);
    }

    look(seat) {
      this.seat = seat;
      this.show(this.position, { still: true });
    }

    step(by) {
      this.pause();
      this.show(this.position + by);
    }

    jump(direction) {
      this.pause();
      const found = direction > 0
        ? this.jumps.find((at) => at > this.position)
        : this.jumps.findLast((at) => at < this.position);
      if (found !== undefined) this.show(found, { still: true });
    }

    toggle() {
      if (this.timer !== null) return this.pause();
      if (this.position === this.last) this.show(0, { still: true });
      this.dock.playing(true);
      this.tick();
    }

    tick() {
      this.timer = setTimeout(() => {
        this.show(this.position + 1, { still: this.speed === 2 });
        if (this.position === this.last) this.pause();
        else this.tick();
      }, SPEEDS[this.speed]);
    }

    pause() {
      if (this.timer === null) return;
      clearTimeout(this.timer);
      this.timer = null;
      this.dock.playing(false);
      this.speakLater();
    }

    faster() {
      this.speed = (this.speed + 1) % SPEEDS.length;
      return 2 ** this.speed;
    }

    // --- Keys -------------------------------------------------------------------------------

    listen() {
      document.addEventListener("keydown", (event) => this.key(event));
      // All keys work as soon as the page is open, and the Tab key begins here.
      this.root.tabIndex = -1;
      if (document.activeElement === document.body) this.root.focus({ preventScroll: true });
      window.addEventListener("hashchange", () => this.read());
    }

    // Arrows work wherever no field has the focus; letters only within the viewer, so that they
    // are in nobody's way.
    key(event) {
      const { target, key } = event;
      const inside = this.root.contains(target) || target.closest("[data-viewer-tools]");
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.matches("input, select, textarea, pre") || (!inside && target !== document.body)) return;
      const acts = this.keys(event);
      if (!inside && !key.startsWith("Arrow")) return;
      if (key === " " && target.matches("button, a, summary")) return;
      if (!(key in acts)) return;
      event.preventDefault();
      acts[key]();
    }

    keys(event) {
      const part = this.part();
      return {
        ArrowLeft: () => this.step(-1),
        ArrowRight: () => this.step(1),
        Home: () => this.step(part.first - this.position),
        End: () => this.step(part.last - this.position),
        " ": () => this.toggle(),
        m: () => this.jump(event.shiftKey ? -1 : 1),
        M: () => this.jump(-1),
        a: () => this.look(null),
        "?": () => Firebox.showKeys(this.root),
        ...Object.fromEntries([...this.main.data.seats.keys()].map((seat) => [String(seat + 1), () => this.look(seat)])),
      };
    }
  }

  Firebox.button = button;

  // The game as text is folded beside a viewer; a link to it unfolds it.
  const unfoldText = () => {
    const text = document.getElementById("text");
    if (!text) return;
    text.open = location.hash === "#text";
    document.querySelectorAll("a[href='#text']").forEach((link) => link.addEventListener("click", () => { text.open = true; }));
  };

  document.addEventListener("DOMContentLoaded", () => {
    const root = document.getElementById("viewer");
    const games = [...document.querySelectorAll("script[data-viewer-game]")].map((each) => JSON.parse(each.textContent));
    if (!root || !games.length) return;
    root.viewer = new Viewer(root, games);
    unfoldText();
  });
}
