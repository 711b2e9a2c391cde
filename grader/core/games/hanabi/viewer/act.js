// What a person does at a table of Hanabi: choose a card of their own, or a hint under another hand.
"use strict";

{
  const { el, icon, hidden } = Firebox;
  const { symbols, candidates } = Firebox.games.hanabi;
  const WORDS = { R: "red", Y: "yellow", G: "green", W: "white", B: "blue" };

  Firebox.games.hanabi.act = (table) => {
    const frame = () => table.main.at(table.position);

    const pick = (index) => {
      const place = frame()[`hand${table.me}`][index];
      const options = table.legalFor((action) => action.card === index)
        .map((each) => ({ ...each, short: each.action.type === "play" ? "Play it" : "Discard it" }));
      const discards = options.some((each) => each.action.type === "discard") ? "" : " It cannot be discarded while all hint tokens are there.";
      const swaps = table.legalFor((action) => action.type === "swap" && (action.first === index || action.second === index))
        .map((each) => ({ ...each, short: `Swap with card ${(each.action.first === index ? each.action.second : each.action.first) + 1}` }));
      table.choose({ key: String(index), options: [...options, ...swaps], focus: `card ${place[0]}`, title: [el("b", {}, `Card ${index + 1}`), " ", candidates(place), discards] });
    };

    // Whether the hint that is chosen touches a card.
    const touches = (seat, card) => {
      const [kind, to, told] = table.chosen?.key.split(" ") ?? [];
      return kind === "hint" && Number(to) === seat && card.includes(told);
    };

    const touched = (seat, told) =>
      frame()[`hand${seat}`].map((place) => Boolean(place?.[1]?.includes(told)));

    const light = (seat, told, on) => {
      const slots = table.root.querySelectorAll(`.hand[aria-label="Seat ${seat + 1}"] .slot`);
      touched(seat, told).forEach((each, index) => slots[index]?.classList.toggle("touched", on && each));
    };

    const hint = (seat, told) => {
      const key = `hint ${seat} ${told}`;
      const legal = table.legalFor((action) => action.to === seat && (action.color ?? String(action.rank)) === told)
        .map((each) => ({ ...each, short: "Give hint" }));
      const words = WORDS[told] ?? told;
      const why = legal.length || !table.isMine ? "" : frame().tokens ? "no such card" : "no hint token left";
      const choose = () => table.choose({ key, options: legal, focus: key, title: [el("b", {}, legal[0].words)] });
      return el("button", {
        type: "button", class: `hint-button${WORDS[told] ? ` suit-${told}` : ""}`, disabled: !legal.length,
        "data-key": key, "aria-pressed": String(table.chosen?.key === key),
        title: why || `Hint seat ${seat + 1}: ${words}`,
        on: {
          click: choose,
          pointerenter: () => light(seat, told, true), pointerleave: () => light(seat, told, table.chosen?.key === key),
          focus: () => light(seat, told, true), blur: () => light(seat, told, table.chosen?.key === key),
        },
      }, symbols[told] ? icon(symbols[told].path) : told, hidden(` ${WORDS[told] ?? ""} hint to seat ${seat + 1}${why ? `, ${why}` : ""}`));
    };

    const below = (seat) => {
      if (seat === table.me) return null;
      return el("div", { class: "hint-row", role: "group", "aria-label": `Hints to seat ${seat + 1}` },
        el("span", {}, frame().suits ? [...frame().suits].map((suit) => hint(seat, suit)) : []),
        el("span", {}, [..."12345"].map((rank) => hint(seat, rank))));
    };

    const usual = () => (frame().tokens ? "Choose one of your cards, or a hint." : "Choose one of your cards: no hint token is left.");

    const hints = () => table.root.querySelector(".hint-button:enabled")?.focus();

    // A card is played where the fireworks are, and discarded among all fifty cards.
    const drops = (key) => {
      const index = frame()[`hand${table.me}`].findIndex((place) => `card ${place?.[0]}` === key);
      return table.legalFor((action) => action.card === index).map(({ action, move }) => [action.type === "play" ? ".sky" : ".tray", move]);
    };

    return { pick, below, touches, usual, hints, drops };
  };
}
