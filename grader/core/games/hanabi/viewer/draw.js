// Draws a scene of Hanabi: fireworks in a night sky, hands, all fifty cards. No rules: what a card may
// be, what became of it and what is still possible are in the scene.
"use strict";

{
  const { el, svg, icon, icons, line, hidden, counted } = Firebox;
  const SUITS = "RYGWB";
  const RANKS = "12345";
  const DECK = [...SUITS].flatMap((suit) => [..."1112233445"].map((rank) => suit + rank));
  const WORDS = { R: "red", Y: "yellow", G: "green", W: "white", B: "blue" };
  const FLAME = "M12.600 1.500c.6 3.300-.5 5-2.300 7.200C8.300 11 6.200 12.900 6.200 16.100c0 3.700 2.700 6.400 6 6.400s6-2.600 6-6.300c0-3.100-1.600-5.600-3.100-7.300-.1 1.900-.7 3.100-1.700 3.900.6-4.100-.3-8.600-.8-11.300Z";

  const symbols = {
    R: { path: "M12 3.2 21.6 20.2 2.4 20.2Z" },
    Y: { path: "M12.00 1.70L14.76 9.10L22.65 9.44L16.47 14.35L18.58 21.96L12.00 17.60L5.42 21.96L7.53 14.35L1.35 9.44L9.24 9.10Z" },
    G: { path: "M9 2.4h6V9h6.6v6H15v6.6H9V15H2.4V9H9Z" },
    W: { path: "M2.2 12a9.8 9.8 0 1 0 19.6 0a9.8 9.8 0 1 0 -19.6 0ZM7.6 12a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0Z" },
    B: { path: "M12 1.2 20.4 12 12 22.8 3.6 12Z" },
  };

  const shape = (suit, name = "shape") => icon(symbols[suit].path, `${name} shape-${suit}`);
  const wordsOf = (card) => `${WORDS[card[0]]} ${card[1]}`;
  const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);

  // --- Fireworks ------------------------------------------------------------------------------

  const RADII = [28, 36.5, 44.5, 51.5, 58];
  const SIZES = [8.2, 9, 9.8, 10.6, 11.4];

  const around = (ring, draw) =>
    Array.from({ length: 12 }, (_, at) => {
      const angle = ((at + (ring % 2) / 2) * Math.PI) / 6;
      return draw(60 + RADII[ring] * Math.sin(angle), 60 - RADII[ring] * Math.cos(angle), angle);
    });

  const ring = (suit, at, grown) =>
    svg("g", { class: `ring ring-${at}${grown ? " grow" : ""}` },
      around(at, (x, y, angle) => svg("line", {
        class: "ray", x1: 60 + 15 * Math.sin(angle), y1: 60 - 15 * Math.cos(angle), x2: x, y2: y,
      })),
      around(at, (x, y, angle) => svg("path", {
        d: symbols[suit].path, "fill-rule": "evenodd",
        transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${(angle * 180) / Math.PI}) scale(${SIZES[at] / 24}) translate(-12 -12)`,
      })));

  const firework = (suit, rank, fresh) =>
    svg("svg", { viewBox: "-8 -8 136 136", class: `firework suit-${suit}${fresh ? " fresh" : ""}`, "aria-hidden": "true" },
      rank ? svg("circle", { cx: 60, cy: 60, r: RADII[rank - 1], class: "glow" }) : null,
      Array.from({ length: rank }, (_, at) => ring(suit, at, fresh && at === rank - 1)),
      rank < 5 ? svg("g", { class: "waiting" }, around(rank, (x, y) => svg("circle", { cx: x, cy: y, r: 1.1 }))) : null,
      rank === 5 ? svg("g", { class: "sparks" }, Array.from({ length: 8 }, (_, at) => {
        const angle = ((at + 0.5) * Math.PI) / 4;
        return svg("circle", { cx: 60 + 65 * Math.sin(angle), cy: 60 - 65 * Math.cos(angle), r: 1.500 });
      })) : null,
      fresh ? svg("circle", { cx: 60, cy: 60, r: 19, class: "now" }) : null,
      svg("text", { x: 60, y: 60, class: rank ? "rank" : "rank none" }, String(rank)));

  const caption = (suit, rank) =>
    el("span", { class: `caption suit-${suit}` }, shape(suit), el("b", {}, WORDS[suit][0].toUpperCase() + WORDS[suit].slice(1)),
      el("span", { class: "next" }, rank === 5 ? "complete" : `next ${rank + 1}`), hidden(`, ${rank} of 5`));

  const sky = (frame) => {
    const played = frame.move?.fits ? frame.move.card : "";
    return [...SUITS].map((suit, at) => {
      const rank = frame.fireworks[at];
      return el("li", {}, firework(suit, rank, played[0] === suit), caption(suit, rank));
    });
  };

  const dots = (count, most, drawing, spent) =>
    el("span", { class: "dots", "aria-hidden": "true" }, Array.from({ length: most }, (_, at) => (at < count ? drawing() : spent())));

  const tally = (frame) => {
    const flame = (name) => () => icon(FLAME, name);
    const token = (name) => () => el("i", { class: name });
    const rows = [
      ["Hint tokens", [dots(frame.tokens, frame.tokens_at_first, token("token"), token("token spent")), el("b", {}, frame.tokens)]],
      ...(frame.lives === null ? [] : [["Lives", [dots(frame.lives, frame.lives_at_first, flame("life"), flame("life spent")), el("b", {}, frame.lives)]]]),
      ["Deck", el("b", {}, frame.turns_left && frame.to_act !== null ? `${counted(frame.deck, "card")} · ${counted(frame.turns_left, "turn")}` : counted(frame.deck, "card"))],
    ];
    return [
      el("p", { class: "points" }, el("b", {}, frame.scores[0]), el("span", {}, "of 25", el("br"), `${frame.possible} still possible`)),
      el("dl", {}, rows.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value)))),
    ];
  };

  // --- Hands ----------------------------------------------------------------------------------

  const knows = ([, , colors, ranks]) => colors.length < 5 || ranks.length < 5;

  const mayBe = (place) => {
    if (!knows(place)) return "";
    const [, , colors, ranks] = place;
    const suits = [...SUITS].filter((suit) => colors.includes(suit)).map((suit) => WORDS[suit]);
    return `may be ${listed(suits)}, ${listed([...ranks])}`;
  };

  // Each possibility at its own place; what is excluded is a dot.
  const possibilities = (place) => {
    if (!knows(place)) return [];
    const [, , colors, ranks] = place;
    if (colors.length === 1 && ranks.length === 1) {
      return [el("span", { class: `pill suit-${colors}` }, shape(colors), el("b", {}, colors + ranks))];
    }
    const color = colors.length === 1
      ? el("span", { class: `one suit-${colors}` }, shape(colors), el("b", {}, colors))
      : el("span", { class: "five" }, [...SUITS].map((suit) => (colors.includes(suit) ? shape(suit, "suit-ink") : el("i"))));
    const rank = ranks.length === 1
      ? el("b", { class: "one" }, ranks)
      : el("span", { class: "five" }, [...RANKS].map((each) => (ranks.includes(each) ? el("span", {}, each) : el("i"))));
    return [color, rank];
  };

  // The cards that it may be as far as hints tell: few are named, many summed up.
  const candidates = (place) => {
    const [, , colors, ranks] = place;
    const cards = [...SUITS].filter((suit) => colors.includes(suit)).flatMap((suit) => [...ranks].map((rank) => suit + rank));
    if (cards.length > 8) return `${mayBe(place) || "may be any card"}.`;
    return ["may be ", el("span", { class: "candidates" }, cards.map((each) => el("span", { class: `pill suit-${each[0]}` }, shape(each[0]), el("b", {}, each))))];
  };

  const back = (place) =>
    el("div", { class: "face back" }, knows(place) ? el("div", { class: "told" }, possibilities(place)) : icon(FLAME, "flame"));

  const face = (card) =>
    el("div", { class: `face suit-${card[0]}` }, el("b", { class: "rank" }, card[1]), el("span", { class: "letter" }, card[0]), shape(card[0]));

  const card = (place, index, { open, badge, fresh, chosen, touched, about }) => {
    if (place === null) return el("li", { class: "slot vacant" }, el("div", { class: "face" }), hidden("empty slot"));
    const spoken = [open ? wordsOf(place[1]) : `card ${index + 1}, face down`, mayBe(place), badge ? `hinted ${WORDS[badge] ?? badge} now` : "", fresh ? "new" : ""];
    return el("li", { class: `slot${badge ? " hinted" : ""}${fresh ? " drawn" : ""}${chosen ? " chosen" : ""}${touched ? " touched" : ""}` },
      el("button", { type: "button", class: "plain", "data-key": `card ${place[0]}`, "aria-pressed": chosen === undefined ? null : String(chosen), "aria-label": spoken.filter(Boolean).join(", "), on: about },
        open ? face(place[1]) : back(place),
        badge ? el("span", { class: "badge-hint" }, WORDS[badge] ? icon(symbols[badge].path) : badge) : null,
        fresh ? el("span", { class: "badge-new" }, "new") : null),
      open ? el("div", { class: "knows", "aria-hidden": "true" }, possibilities(place)) : null,
      chosen === undefined ? null : el("span", { class: "place-name", "aria-hidden": "true" }, `card ${index + 1}`));
  };

  const did = (frame, seat) => {
    const { move } = frame;
    if (!move || frame.seat !== seat) return null;
    const words = { hint: "hinted", discard: "discarded", swap: "swapped" }[move.type] ?? (move.fits ? "played" : "misplayed");
    return el("span", { class: "did" }, words);
  };

  const hand = (frame, seat, view) => {
    const { game } = view;
    const move = frame.move ?? {};
    const cards = frame[`hand${seat}`].map((place, index) => card(place, index, {
      open: view.seat !== seat,
      badge: move.to === seat && move.cards?.includes(index) ? move.told : "",
      fresh: frame.seat === seat && move.drawn === index,
      chosen: view.me === seat ? view.chosen(index) : undefined,
      touched: place?.[1] && view.touched?.(seat, place[1]),
      about: view.me === seat ? { click: () => view.pick(index) } : telling(view, seat, place),
    }));
    return el("div", { class: `hand${view.me === seat ? " own" : ""}`, role: "group", "aria-label": `Seat ${seat + 1}` },
      el("header", {}, el("b", {}, view.me === seat ? "Your hand" : `Seat ${seat + 1}`), el("span", { class: "name" }, view.me === seat ? `seat ${seat + 1}` : game.data.seats[seat].name), did(frame, seat),
        frame.to_act === seat ? el("span", { class: "to-act" }, "to act") : null),
      el("ol", { class: "cards-in-hand" }, cards), view.below?.(seat));
  };

  // --- A card's story -------------------------------------------------------------------------

  const historyOf = (game, position, seat, number) => {
    const holds = (at) => game.frames[at][`hand${seat}`].findIndex((place) => place?.[0] === number);
    const from = game.frames.findIndex((_, at) => holds(at) >= 0);
    const hints = [];
    for (let at = from; at <= position; at += 1) {
      const { move, seat: giver } = game.frames[at];
      if (move?.to === seat && move.cards.includes(holds(at))) hints.push([at, giver, move.told]);
    }
    return { from, hints };
  };

  // A click opens it, and the focus of who uses the keyboard.
  const telling = (view, seat, place) => ({
    click: (event) => tell(event.currentTarget, view, seat, place),
    focus: ({ currentTarget }) => { if (currentTarget.matches(":focus-visible")) tell(currentTarget, view, seat, place); },
  });

  const tell = (target, view, seat, place) => {
    const { game } = view;
    const { from, hints } = historyOf(game, view.position, seat, place[0]);
    const box = target.closest(".board").querySelector(".story");
    const title = view.seat === seat ? "A card of its own" : [shape(place[1][0], "suit-ink"), ` ${wordsOf(place[1])}`];
    box.replaceChildren(
      el("b", {}, title), ` in the hand of seat ${seat + 1}, ${from === 0 ? "since the deal" : `since turn ${from - 1}`}. `,
      hints.length ? "Hints: " : "No hint touched it. ",
      ...hints.map(([at, giver, told], index) => `${index ? ", " : ""}${WORDS[told] ?? told} (turn ${at - 1}, seat ${giver + 1})`),
      hints.length ? ". " : "", mayBe(place) ? `It ${mayBe(place)}.` : "It may be any card.");
    box.hidden = false;
  };

  // --- All fifty cards ------------------------------------------------------------------------

  const FATES = { d: "discarded", p: "played", l: "last copy", x: "can’t be played" };

  const fifty = (frame) => {
    const rows = [...SUITS].map((suit, row) =>
      el("div", { class: `fifty-row suit-${suit}` }, el("span", { class: "fifty-suit" }, shape(suit), el("b", {}, suit)),
        DECK.slice(row * 10, row * 10 + 10).map((each, at) => {
          const place = row * 10 + at;
          const now = frame.move?.place === place ? " now" : "";
          const gap = at && DECK[place - 1] !== each ? " first" : "";
          return el("span", { class: `copy fate-${frame.cards[place]}${now}${gap}` }, each[1]);
        })));
    const gone = [...frame.cards].filter((fate) => fate === "d").length;
    const legend = Object.entries(FATES).map(([fate, words]) => el("span", {}, el("i", { class: `copy fate-${fate}` }, fate === "x" ? "4" : ""), words));
    return [
      el("header", {}, el("h3", {}, "All fifty cards"), el("span", { class: "soft" }, `${gone} discarded`)),
      el("div", { class: "fifty", "aria-hidden": "true" }, rows, el("p", { class: "legend" }, legend)),
      hidden(fiftyWords(frame)),
    ];
  };

  const fiftyWords = (frame) =>
    Object.entries(FATES).map(([fate, words]) => {
      const cards = DECK.filter((_, at) => frame.cards[at] === fate).map(wordsOf);
      return `${words}: ${cards.join(", ") || "none"}.`;
    }).join(" ");

  const wanted = (frame) => [
    el("h3", {}, "Would fit now"),
    el("dl", { class: "wanted" }, frame.wanted.filter((each) => each.length).map(([each, where]) =>
      el("div", {}, el("dt", {}, line({ symbols }, [[each[0], each]])), el("dd", {}, where)))),
  ];

  // --- Motion ---------------------------------------------------------------------------------

  const FLIGHT = 220;

  // The place that a card is about to leave.
  const leaving = (element, hands, { move, seat }) =>
    (move?.card ? Firebox.placeOf(element, hands.children[seat].querySelectorAll(".slot .face")[move.index]) : null);

  // A card that left a hand goes to its firework, or among the discards.
  const fly = (element, { move }, from) => {
    const target = move.fits ? `.firework.suit-${move.card[0]} .rank` : ".copy.now";
    Firebox.fly(element, face(move.card), from, Firebox.placeOf(element, element.querySelector(target)), FLIGHT);
  };

  // --- The board ------------------------------------------------------------------------------

  const board = (game) => {
    const works = el("ul", { class: "works" });
    const count = el("div", { class: "figures-left" });
    const hands = el("div", { class: "hands" });
    const marks = [".slot button", ".hint-button:enabled"].map((each) => Firebox.oneStop(hands, each));
    const cards = el("div", { class: "all-cards", role: "group", "aria-label": "All fifty cards" });
    const next = el("div", { class: "fits", role: "group", "aria-label": "Would fit now" });
    const story = el("p", { class: "story", role: "status", hidden: true });
    const element = el("section", { class: "board hanabi", "aria-label": game.boardName },
      el("div", { class: "sky" }, works, count),
      el("div", { class: "table-top" }, el("div", { class: "felt" }, hands, story), el("div", { class: "tray" }, cards, next)));
    return {
      element,
      show: (frame, view) => {
        element.classList.toggle("moving", view.moves);
        Firebox.land(element);
        const from = view.moves ? leaving(element, hands, frame) : null;
        works.replaceChildren(...sky(frame));
        works.classList.toggle("perfect", frame.scores[0] === 25);
        count.replaceChildren(...tally(frame));
        hands.replaceChildren(...game.data.seats.map((_, seat) => hand(frame, seat, view)));
        marks.forEach((mark) => mark());
        cards.replaceChildren(...fifty(frame));
        next.hidden = view.seat !== null || frame.to_act === null;
        next.replaceChildren(...wanted(frame));
        story.hidden = true;
        if (from) fly(element, frame, from);
      },
    };
  };

  // Score from below, what is still possible from above; between games the other one's score, dashed.
  const chart = (games, width, height, viewer) => {
    const x = (position) => 11 + (width - 22) * Firebox.place({ first: 0, last: viewer.last }, position);
    const y = (points) => 2 + (height - 4) * (1 - points / 25);
    const [own, other] = games.map((game) => game.frames.map((frame) => Math.max(...frame.scores, 0)));
    const possible = games[0].frames.map((frame) => frame.possible);
    const [end, floor] = [x(own.length - 1), y(0)];
    const score = Firebox.steps(own, x, y);
    const reach = Firebox.steps(possible, x, y);
    const parting = games.length > 1 ? viewer.jumps[0] ?? viewer.last : 0;
    return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, Firebox.hatching(),
      parting ? svg("rect", { class: "same", x: x(0), y: 0, width: x(parting) - x(0), height }) : null,
      svg("path", { class: "lost-area", d: `${reach}L${end} ${y(25)}L${x(0)} ${y(25)}Z` }),
      svg("path", { class: "score-area", d: `${score}L${end} ${floor}L${x(0)} ${floor}Z` }),
      svg("path", { class: "reach-line", d: reach }),
      svg("path", { class: "score-line", d: score }),
      other ? svg("path", { class: "other-line", d: Firebox.steps(other, x, y) }) : null,
      games[0].frames.map((frame, at) => (frame.mark === "mistake" ? svg("line", { class: "mistake-line", x1: x(at), x2: x(at), y1: 0, y2: height }) : null)),
      svg("text", { class: "reach-text", x: x(0) + 5, y: y(25) + 14 }, "still possible"),
      svg("text", { class: "score-text", x: x(0) + 5, y: floor - 6 }, "score"));
  };

  const facts = (game) => {
    const lost = game.frames[0].possible - game.frames.at(-1).possible;
    return [["Lost", lost ? `${counted(lost, "point")} out of reach` : "no point out of reach"]];
  };

  Firebox.games.hanabi = { symbols, board, chart, facts, candidates, hides: true, jumpIcon: icons.mistake };
}
