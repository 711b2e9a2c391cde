// What a person does at a table of Hearts: choose a card of their hand, twice to play it.
"use strict";

{
  const { el } = Firebox;

  Firebox.games.hearts.act = (table) => {
    const movesOf = (card) => table.legalFor((action) => action.card === card);

    const pick = (card) => {
      const options = movesOf(card);
      table.choose({ key: card, options, focus: `card ${card}`, title: "Once more, or:" });
    };

    const pickable = (card, drawing) => {
      const [legal] = movesOf(card);
      if (!legal) return drawing;
      return el("button", {
        type: "button", class: "plain pick", "data-key": `card ${card}`, title: legal.words,
        "aria-pressed": String(table.chosen?.key === card), on: { click: () => pick(card) },
      }, drawing);
    };

    const usual = () => {
      const frame = table.main.at(table.position);
      return frame.phase === "pass" ? `Choose a card to pass ${frame.passing}.` : "Choose a card.";
    };

    return { pick, pickable, usual };
  };
}
