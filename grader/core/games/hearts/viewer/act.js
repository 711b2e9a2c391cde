// What a person does at a table of Hearts: choose a card of their hand, twice to play it; or the cards
// to pass, which are passed together.
"use strict";

{
  const { el } = Firebox;
  const { small } = Firebox.games.hearts;
  const split = (cards) => (cards ? cards.split(" ") : []);

  Firebox.games.hearts.act = (table) => {
    const frame = () => table.main.at(table.position);
    const movesOf = (card) => table.legalFor((action) => action.card === card);
    const gathers = (action) => action.type === "pass";
    const isPassing = () => table.legalFor(gathers).length > 0;
    const due = () => frame().passes - split(frame()[`passed${table.me}`]).length;
    const gathered = () => table.chosen?.cards ?? [];

    // One more card to pass, or one less.
    const gather = (card) => {
      const has = gathered().includes(card);
      if (!has && gathered().length === due()) return;
      const cards = has ? gathered().filter((each) => each !== card) : [...gathered(), card];
      const move = cards.map((each) => movesOf(each)[0].move).join(" ");
      const words = `Pass ${Firebox.counted(cards.length, "card")} ${frame().passing}`;
      table.choose({ cards, options: cards.length === due() ? [{ move, words }] : [], focus: `card ${card}`, title: [`${cards.length} of ${due()}: `, el("span", { class: "gathered" }, cards.map(small))] });
    };

    const pick = (card) => {
      const options = movesOf(card);
      if (options.some((each) => gathers(each.action))) return gather(card);
      table.choose({ key: card, options, focus: `card ${card}`, title: el("span", { class: "again" }, "Click it again, or") });
    };

    const pickable = (card, drawing) => {
      const [legal] = movesOf(card);
      const isFull = legal && gathers(legal.action) && gathered().length === due() && !table.holds(card);
      if (!legal || isFull) return drawing;
      return el("button", {
        type: "button", class: "plain pick", "data-key": `card ${card}`, title: legal.words,
        "aria-pressed": String(table.holds(card)), on: { click: () => pick(card) },
      }, drawing);
    };

    const usual = () => (isPassing() ? `Choose ${Firebox.counted(due(), "card")} to pass ${frame().passing}.` : "Choose a card.");

    // What the seats pass is one step for one's own cards, and one for all that others pass.
    const passes = (each) => each.move?.type === "pass";
    const isMine = (each) => each.seat === table.me;
    const joins = (one, next) => passes(one) && passes(next) && isMine(one) === isMine(next) && one.part === next.part;

    const deeds = (frames) => {
      const mine = isMine(frames[0]);
      const cards = Firebox.counted(frames.length, "card");
      return [
        el("span", { class: "who" }, mine ? [Firebox.hidden("seat "), String(table.me + 1)] : []),
        el("span", { class: "deed" }, mine ? ["passes ", frames.map((each) => [small(each.move.card), " "])] : `others pass ${cards}`),
        el("span"), el("span", { class: "ms" }),
      ];
    };

    const said = (last, before) => {
      if (!passes(last) || !before || !joins(before, last)) return null;
      return [isMine(last) ? `You pass your cards ${last.passing}.` : "The others have passed their cards."];
    };

    const drops = (key) => movesOf(key.slice(5)).filter(({ action }) => !gathers(action)).map(({ move }) => [".felt", move]);

    return { pick, pickable, usual, gathers, isPassing, joins, deeds, said, drops };
  };
}
