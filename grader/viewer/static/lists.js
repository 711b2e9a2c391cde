// The moves beside the board: the game as text, each turn a link.
"use strict";

{
  const { el, icon, icons, line, plain, milliseconds, marks } = Firebox;

  // Keeps a row of a scrolling box, which is positioned, in sight, without moving the page.
  Firebox.keepInSight = (box, row) => {
    if (!row) return;
    const top = row.offsetTop;
    const hidden = top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight;
    if (hidden) box.scrollTop = top - box.clientHeight / 3;
  };

  // Folded on a narrow screen, open beside the board.
  Firebox.fold = (title, note, ...content) => folded("64rem", title, note, content);

  // Folded unless there is a third column.
  Firebox.foldedMore = (title, note, ...content) => folded("112rem", title, note, content);

  const folded = (width, title, note, content) =>
    el("details", { class: "fold", open: matchMedia(`(width >= ${width})`).matches },
      el("summary", {}, el("h2", {}, title), el("span", { class: "soft" }, note)), content);

  const goes = (viewer, position) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    viewer.pause();
    viewer.show(position, { still: true });
  };

  const markOf = (frame) =>
    frame.mark ? el("span", { class: `mark ${frame.mark}`, title: frame.effect },
      icon(icons[frame.mark]), Firebox.hidden(` ${frame.effect || marks[frame.mark]}`)) : el("span");

  const charged = (game, position) => {
    const microseconds = game.charged(position);
    if (microseconds === null) return el("span", { class: "ms" });
    return el("span", { class: "ms" }, milliseconds(microseconds), Firebox.hidden(" ms charged"));
  };

  const move = (game, position) => {
    const frame = game.frames[position];
    return [
      el("span", { class: "who" }, Firebox.hidden("seat "), String(frame.seat ?? "")),
      el("span", { class: "deed" }, line(game.drawing, frame.brief)),
      markOf(frame),
      charged(game, position),
    ];
  };

  const rowOf = (viewer, position) =>
    el("a", { href: `?${viewer.query(position, null)}`, on: { click: goes(viewer, position) } },
      el("span", { class: "number" }, position ? String(position - 1) : "–"),
      ...(position ? move(viewer.main, position) : [el("span"), el("span", { class: "deed" }, "the deal"), el("span"), el("span")]));

  // The moves of a part of the game, or of all of it; the present one is marked and kept in sight.
  Firebox.moves = (viewer) => {
    const list = el("ol", { class: "move-list" });
    let shown = null;
    let rows = [];
    return {
      element: list,
      show: () => {
        const part = viewer.part();
        if (part !== shown) {
          shown = part;
          rows = Array.from({ length: part.last - part.first + 1 }, (_, at) => rowOf(viewer, part.first + at));
          list.replaceChildren(...rows.map((row) => el("li", {}, row)));
        }
        rows.forEach((row, index) => {
          const position = part.first + index;
          row.toggleAttribute("data-future", position > viewer.position);
          if (position === viewer.position) row.setAttribute("aria-current", "true");
          else row.removeAttribute("aria-current");
        });
        Firebox.keepInSight(list, rows[viewer.position - part.first].parentElement);
      },
    };
  };

  Firebox.moveList = (viewer) => {
    const list = Firebox.moves(viewer);
    const printed = Firebox.printedPanel(viewer);
    const links = document.querySelector("[data-viewer-links]");
    return {
      element: el("div", { class: "side" },
        Firebox.fold("Moves", "ms charged", viewer.turnField(), list.element, links),
        el("div", { class: "side-more" }, printed.element, aboutPanel(viewer))),
      show: () => {
        list.show();
        printed.show();
      },
    };
  };

  // Two games in one list: what each did in a turn, and whether it was the same.
  Firebox.pairList = (viewer) => {
    const rows = Array.from({ length: viewer.last }, (_, at) => at + 1).map((position) => {
      const [left, right] = viewer.games.map((game) =>
        el("span", { class: "half" }, game.frames[position] ? move(game, position) : el("span", { class: "deed soft" }, "over")));
      const differs = viewer.differs(position);
      return el("a", { href: `?${viewer.query(position, null)}`, on: { click: goes(viewer, position) } },
        left,
        el("span", { class: "number" }, String(position - 1), differs ? [Firebox.hidden(" different"), icon(icons.differs)] : Firebox.hidden(" the same")),
        right);
    });
    const list = el("ol", { class: "pair-list" }, rows.map((row) => el("li", {}, row)));
    const printed = viewer.games.map((game) => Firebox.printedPanel(viewer, game));
    const both = printed.some((each) => each.element) ? el("div", { class: "pair-printed" }, printed.map((each) => each.element ?? el("div"))) : null;
    return {
      element: el("div", { class: "pairs" }, viewer.turnField(), list, both),
      show: () => {
        printed.forEach((each) => each.show());
        rows.forEach((row, index) => {
          if (index + 1 === viewer.position) row.setAttribute("aria-current", "true");
          else row.removeAttribute("aria-current");
        });
        Firebox.keepInSight(list, rows[Math.max(viewer.position - 1, 0)].parentElement);
      },
    };
  };

  // What was printed in a turn; nothing at all where nobody may read it or nothing was kept.
  Firebox.printedPanel = (viewer, game = viewer.main) => {
    const { data } = game;
    const whose = data.label ? `${data.label}: ` : "";
    if (!data.printed.length) return { element: null, show: () => {} };
    const title = el("h2");
    const text = el("pre", { tabindex: "0", "aria-label": `${whose}printed in this turn` });
    const none = el("p", { class: "soft" }, "Nothing was printed in this turn.");
    const element = el("section", { class: "printed" }, title, text, none);
    return {
      element,
      show: () => {
        const found = game.printed(viewer.position);
        const speakers = new Set(found.map(([, seat]) => seat));
        title.textContent = whose + (speakers.size === 1 ? `seat ${found[0][1]} printed` : "printed");
        title.textContent = title.textContent[0].toUpperCase() + title.textContent.slice(1);
        text.textContent = found.map(([, seat, words]) => (speakers.size > 1 ? `Seat ${seat}:\n${words}` : words)).join("\n");
        text.hidden = !found.length;
        none.hidden = !!found.length;
        text.scrollTop = text.scrollHeight; // what matters of a fault is at its end
      },
    };
  };

  const KEYS = [
    ["← →", "turn"], ["Home End", "first and last"], ["Space", "play, pause"],
    ["m", "next mistake; with Shift the one before"], ["a", "all cards"], ["0 1 …", "as that seat sees it"], ["?", "this list"],
  ];

  const aboutPanel = (viewer) => {
    const { data, drawing } = viewer.main;
    const slowest = data.charged_us.indexOf(Math.max(...data.charged_us));
    const facts = [
      ["Rules", `${data.options.variant}, ${Firebox.counted(data.seats.length, "seat")}`],
      ...data.seats.filter((seat) => seat.name).map((seat, at) => [`Seat ${at}`, seat.own ? el("strong", {}, seat.name) : seat.name]),
      ...(slowest < 0 ? [] : [["Slowest", `turn ${slowest}, ${milliseconds(data.charged_us[slowest])} ms`]]),
      ...(drawing.facts?.(viewer.main) ?? []),
    ];
    return Firebox.foldedMore("This game", data.title, [
      el("dl", { class: "facts" }, facts.map(([term, value]) => [el("dt", {}, term), el("dd", {}, value)])),
      el("h3", {}, "Keys"),
      el("ul", { class: "keys" }, KEYS.filter(([key]) => drawing.hides || !["a", "0 1 …"].includes(key)).map(([key, words]) =>
        el("li", {}, key.split(" ").map((each) => [el("kbd", {}, each), " "]), words))),
    ]);
  };
  Firebox.aboutPanel = aboutPanel;
  Firebox.goes = goes;
}
