// Draws a scene of Hearts: hands around a table, the trick, what it costs. No rules: who takes a trick
// and what it costs is in the scene.
"use strict";

{
  const { el, icon, hidden, counted } = Firebox;
  const WORDS = { C: "clubs", D: "diamonds", S: "spades", H: "hearts" };
  const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
  const PLACES = { 2: ["south", "north"], 3: ["south", "west", "east"], 4: ["south", "west", "north", "east"] };

  const symbols = {
    C: { path: "M12 2.200a4.500 4.500 0 0 0-3.900 6.800A4.600 4.600 0 1 0 11.200 15.600c-.2 2.600-.9 4.700-2.700 6.400h7c-1.800-1.700-2.500-3.800-2.700-6.400A4.600 4.600 0 1 0 15.900 9 4.500 4.500 0 0 0 12 2.200Z" },
    D: { path: "M12 1.500 20 12 12 22.500 4 12Z" },
    S: { path: "M12 2C9 6 3 9.600 3 14.200A4.600 4.600 0 0 0 7.600 18.800c1.500 0 2.700-.6 3.500-1.700-.2 2-.9 3.600-2.600 4.900h7c-1.700-1.300-2.400-2.900-2.600-4.900.8 1.100 2 1.700 3.500 1.700A4.600 4.600 0 0 0 21 14.200C21 9.600 15 6 12 2Z" },
    H: { path: "M12 21.300 10.600 20C5.400 15.400 2 12.300 2 8.500 2 5.400 4.400 3 7.500 3c1.700 0 3.400.8 4.500 2.100C13.100 3.800 14.800 3 16.500 3 19.600 3 22 5.400 22 8.500c0 3.800-3.400 6.900-8.600 11.500Z" },
  };

  const shape = (suit) => icon(symbols[suit].path, `pip pip-${suit}`);
  const rankOf = (card) => (card[1] === "T" ? "10" : card[1]);
  const wordsOf = (card) => `${RANKS[card[1]] ?? card[1]} of ${WORDS[card[0]]}`;
  const split = (cards) => (cards ? cards.split(" ") : []);
  const tone = (card, costs) => `${"DH".includes(card[0]) ? " red" : ""}${costs?.[card] ? " costs" : ""}`;

  const face = (card) =>
    [el("b", {}, rankOf(card)), shape(card[0]), icon(symbols[card[0]].path, `pip big pip-${card[0]}`), hidden(wordsOf(card))];

  const small = (card) => el("span", { class: `mini${tone(card)}` }, shape(card[0]), rankOf(card), hidden(` (${wordsOf(card)})`));

  // Where a seat sits: a person who plays sits in the south.
  const placeOf = (index, seats, me) => PLACES[seats][(index - (me ?? 0) + seats) % seats];

  const cardsOf = (cards, open, costs, view, own) =>
    el("ol", { class: `fan${cards.length > 7 ? " long" : ""}`, vars: { "--row": Math.ceil(cards.length / 2), "--count": Math.max(cards.length > 13 ? Math.ceil(cards.length / 2) : cards.length, 1) }, "aria-label": open ? "Hand" : "Hand, face down" },
      cards.map((card) => el("li", { class: open ? `playing-card${tone(card, costs)}` : "playing-card back" }, open ? (own ? view.pickable(card, face(card)) : face(card)) : hidden("a card, face down"))));

  const passes = (frame, seat) => {
    if (frame.number > 1 || (frame.phase === "play" && frame.trick.length > 1)) return [];
    const [gone, come] = [split(frame[`passed${seat}`]), split(frame[`received${seat}`])];
    return [
      gone.length ? el("span", { class: "passing" }, `passed ${frame.passing} `, gone.map(small)) : null,
      come.length ? el("span", { class: "passing" }, "received ", come.map(small)) : null,
    ];
  };

  const seat = (frame, index, view) => {
    const { data } = view.game;
    const open = view.seat === null || view.seat === index;
    const points = frame.points[index];
    const cost = split(frame[`cost${index}`]);
    return el("div", { class: `seat ${placeOf(index, data.seats.length, view.me)}`, role: "group", "aria-label": `Seat ${index + 1}` },
      el("header", {},
        el("b", { class: frame.to_act === index ? "acts" : null }, `Seat ${index + 1}`, frame.to_act === index ? hidden(", to act") : null),
        el("span", { class: "name" }, data.seats[index].name),
        el("span", {}, el("b", {}, String(frame.totals[index])), " in total"),
        el("span", { class: points ? "cost" : null }, el("b", {}, String(points)), ` in hand ${frame.part}`),
        el("span", { class: "minis" }, hidden(cost.length ? "has taken " : ""), cost.map(small))),
      cardsOf(split(frame[`hand${index}`]), open, frame.costs, view, view.me === index),
      el("p", { class: "passes" }, open ? passes(frame, index) : null));
  };

  const trick = (frame, seats, me) =>
    el("ol", { class: "trick", "aria-label": "Trick" }, frame.trick.map(([index, card], order) =>
      el("li", { class: `playing-card ${placeOf(index, seats, me)}${tone(card, frame.costs)}${frame.winner === index ? " takes" : ""}` },
        el("span", { class: "by" }, `Seat ${index + 1}`, hidden(": ")), face(card),
        order === 0 ? el("span", { class: "tag led" }, "led") : null,
        frame.winner === index ? el("span", { class: "tag won" }, "takes it") : null)));

  // The number of the hand, and what ends the game.
  const match = (frame, options) =>
    el("p", { class: "match" }, el("b", {}, `Hand ${frame.part}`), options.hands ? ` of ${options.hands}` : ` · ${options.end_at} points end the game`);

  const TAKING = 300;

  // The cards of the trick on the table, which go to its winner, and where they lie.
  const trickOf = (element) =>
    [...element.querySelectorAll(".trick .playing-card")].map((card) => [card, Firebox.placeOf(element, card)]);

  const board = (game) => {
    let winner = null;
    const felt = el("div", { class: `felt seats-${game.data.seats.length}` });
    const element = el("section", { class: "board hearts", "aria-label": game.boardName }, felt);
    return {
      element,
      show: (frame, view) => {
        element.classList.toggle("moving", view.moves);
        Firebox.land(element);
        const taken = view.moves && winner !== null ? trickOf(element) : [];
        felt.replaceChildren(...game.data.seats.map((_, index) => seat(frame, index, view)), trick(frame, game.data.seats.length, view.me), match(frame, game.data.options));
        taken.forEach(([card, from]) => Firebox.fly(element, card, from, Firebox.placeOf(element, felt.children[winner].firstChild), TAKING));
        winner = frame.winner;
      },
    };
  };

  // --- Hands of a game, tricks of a hand --------------------------------------------------------

  const parts = (frames) => {
    const hands = [];
    frames.forEach((frame, at) => {
      if (hands.at(-1)?.part !== frame.part) hands.push({ part: frame.part, title: `Hand ${frame.part}`, first: at, note: "not over" });
      Object.assign(hands.at(-1), { last: at }, frame.over ? { note: frame.points.join(" ") } : {});
    });
    return hands;
  };

  const labels = (viewer, part) =>
    viewer.main.frames.flatMap((frame, at) => {
      if (at < part.first || at > part.last || frame.winner === null || frame.mark === "fault") return [];
      const cards = frame.trick.map(([, card]) => card).sort((a, b) => (frame.costs[b] ?? 0) - (frame.costs[a] ?? 0));
      const dear = frame.costs[cards[0]] > 1 ? `${rankOf(cards[0])} ` : "";
      return [el("span", { class: "label", title: frame.effect, vars: { "--at": Firebox.place(part, at) }, on: { click: () => viewer.show(at, { still: true }) } },
        frame.cost ? [shape(cards[0][0]), el("b", {}, `${dear}${frame.cost}`)] : el("i"))];
    });

  const title = (frame, position) =>
    (frame.seat === null ? `Hand ${frame.part}, the deal`
      : frame.phase === "pass" || frame.move?.type === "pass" ? `Hand ${frame.part}, passing` : `Hand ${frame.part}, trick ${frame.number}`);

  // The tricks of the hand that is looked at, as text: who played what, who took it, what it cost.
  const tricksOf = (viewer, part) => {
    const found = new Map();
    for (let at = part.first; at <= part.last; at += 1) {
      const frame = viewer.main.frames[at];
      if (frame.trick.length && frame.mark !== "fault") found.set(frame.number, { frame, at });
    }
    return [...found.values()];
  };

  const cell = (frame, index) => {
    const card = frame.trick.find(([each]) => each === index)?.[1];
    if (!card) return el("td", {}, "–");
    const leads = frame.trick[0][0] === index ? hidden(" leads") : null;
    const takes = frame.winner === index ? hidden(" takes the trick") : null;
    return el("td", { class: takes ? "taking" : null }, small(card), leads, takes);
  };

  const totalsPanel = (data, seats, body) =>
    el("section", { class: "totals" },
      el("header", {}, el("h2", {}, "Totals"),
        el("span", { class: "soft" }, data.options.hands ? counted(data.options.hands, "hand") : `${data.options.end_at} points end the game`)),
      el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, hidden("After")),
        seats.map((each) => el("th", { scope: "col", class: "n" }, each ? String(each + 1) : "Seat 1")))), body));

  const list = (viewer) => {
    const { data } = viewer.main;
    const seats = [...data.seats.keys()];
    const heading = el("h2");
    const body = el("tbody");
    const table = el("table", { class: "trick-list" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, hidden("Trick")), seats.map((each) => el("th", { scope: "col" }, each ? String(each + 1) : "seat 1")), el("th", { scope: "col", class: "n" }, "pts"))), body);
    const box = el("div", { class: "trick-box", tabindex: "0", role: "region", "aria-label": "Tricks" }, table);
    const keepInSight = Firebox.keeper(box);
    const totals = el("tbody");
    const printed = Firebox.printedPanel(viewer);
    const moves = Firebox.moves(viewer);
    const fold = Firebox.fold("", "shaded: takes the trick", viewer.turnField(), box, document.querySelector("[data-viewer-links]"));
    fold.querySelector("h2").replaceWith(heading);
    let shown = null;
    let wasLive = false;
    let rows = [];
    const fill = (part) => {
      shown = part;
      heading.textContent = `Tricks of hand ${part.part}`;
      rows = tricksOf(viewer, viewer.shown()).map(({ frame, at }) => {
        const points = frame.cost || "";
        const link = el("a", { href: `?${viewer.query(at, null)}`, on: { click: Firebox.goes(viewer, at) } }, hidden("trick "), String(frame.number));
        const row = el("tr", {}, el("th", { scope: "row" }, link), seats.map((each) => cell(frame, each)), el("td", { class: "n" }, points));
        return { row, frame };
      });
      body.replaceChildren(...rows.map((each) => each.row));
    };
    const totalRow = (words, points, extra) => el("tr", { class: extra }, el("th", { scope: "row" }, words), points.map((each) => el("td", { class: "n" }, String(each))));
    return {
      element: el("div", { class: "side" }, fold, el("div", { class: "side-more" },
        totalsPanel(data, seats, totals), printed.element,
        Firebox.foldedMore("Moves of this hand", "ms charged", moves.element), Firebox.aboutPanel(viewer))),
      show: () => {
        const part = viewer.part();
        if (part !== shown || wasLive) fill(part);
        wasLive = viewer.isLive;
        const frame = viewer.main.at(viewer.position);
        rows.forEach((each) => each.row.toggleAttribute("data-current", frame.phase === "play" && each.frame.number === frame.number));
        keepInSight(rows.find((each) => each.row.hasAttribute("data-current"))?.row);
        totals.replaceChildren(totalRow(frame.over ? "after this hand" : "before this hand", frame.totals), totalRow("in the end", data.scores, "end"));
        printed.show();
        moves.show();
      },
    };
  };

  // What another seat passes is not seen by the one whose eyes are lent.
  const veiled = (frame, index) =>
    (index !== null && frame.move?.type === "pass" && frame.seat !== index ? [`Seat ${frame.seat + 1} passes a card.`] : null);

  Firebox.games.hearts = {
    symbols, board, parts, labels, title, list, veiled, small,
    hides: true, fewest: true, partsWords: "Points of each seat by hand", jumpWords: "Next trick that costs points, or fault", jumpIcon: symbols.S.path,
  };
}
