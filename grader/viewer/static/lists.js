// The moves beside the board: the game as text, each turn a link.
"use strict";

{
  const { el, icon, icons, line, plain, milliseconds, marks } = Firebox;

  // Returns a function that keeps a row of a scrolling box, which is positioned, in sight, without
  // moving the page: at once, and whenever the box gets another size, as when the page is laid out.
  Firebox.keeper = (box) => {
    let kept = null;
    const keep = (row = kept) => {
      kept = row;
      // Where a row of a closed fold lies is not asked: the browser would lay the fold out for it.
      if (!row || row.closest("details:not([open])")) return;
      const top = row.offsetTop;
      const hidden = top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight;
      if (hidden) box.scrollTop = top - box.clientHeight / 3;
    };
    new ResizeObserver(() => keep()).observe(box);
    return keep;
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
      el("span", { class: "who" }, Firebox.hidden("seat "), frame.seat === null ? "" : String(frame.seat + 1)),
      el("span", { class: "deed" }, line(game.drawing, frame.brief)),
      markOf(frame),
      charged(game, position),
    ];
  };

  const dealOf = (game, position) => {
    const title = position ? game.drawing.title?.(game.at(position), position) : null;
    return [el("span"), el("span", { class: "deed" }, title ?? "the deal"), el("span"), el("span")];
  };

  // A row of the list: a turn, or several turns that a table shows as one step.
  const rowOf = (viewer, first, last) => {
    const { main } = viewer;
    const content = main.isDeal(first) ? dealOf(main, first) : first < last ? viewer.deeds(first, last) : move(main, last);
    return el("a", { href: `?${viewer.query(last, null)}`, on: { click: goes(viewer, last) } },
      el("span", { class: "number" }, main.isDeal(first) ? "–" : String(main.turns[first])), ...content);
  };

  // The positions of a part at which a reader stops: all of them, or the last ones of a table's steps.
  const stopsOf = (viewer, part) =>
    Array.from({ length: part.last - part.first + 1 }, (_, at) => part.first + at).filter((at) => viewer.stop?.(at) ?? true);

  // The moves of a part of the game, or of all of it; the present one is marked and kept in sight.
  Firebox.moves = (viewer) => {
    const list = el("ol", { class: "move-list" });
    const keepInSight = Firebox.keeper(list);
    let shown = null;
    let stops = [];
    let rows = [];
    return {
      element: list,
      show: () => {
        const part = viewer.part();
        if (part !== shown) {
          shown = part;
          const before = stops;
          stops = stopsOf(viewer, part);
          // A table's list grows by a row at a time: those that are there stay.
          const kept = stops.findIndex((stop, at) => stop !== before[at]);
          rows.splice(kept).forEach((row) => row.parentElement.remove());
          rows.push(...stops.slice(kept).map((stop, at) => rowOf(viewer, (stops[kept + at - 1] ?? part.first - 1) + 1, stop)));
          list.append(...rows.slice(kept).map((row) => el("li", {}, row)));
        }
        rows.forEach((row, index) => {
          const isAhead = stops[index] > viewer.position;
          row.toggleAttribute("data-future", isAhead);
          row.parentElement.hidden = Boolean(viewer.isLive) && isAhead; // a selector with :has() is slow
          if (stops[index] === viewer.position) row.setAttribute("aria-current", "true");
          else row.removeAttribute("aria-current");
        });
        keepInSight(rows[stops.indexOf(viewer.position)]?.parentElement);
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
        el("span", { class: "number" }, viewer.longest.isDeal(position) ? "–" : String(viewer.longest.turns[position]), differs ? [Firebox.hidden(" different"), icon(icons.differs)] : Firebox.hidden(" the same")),
        right);
    });
    const list = el("ol", { class: "pair-list" }, rows.map((row) => el("li", {}, row)));
    const keepInSight = Firebox.keeper(list);
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
        keepInSight(rows[Math.max(viewer.position - 1, 0)].parentElement);
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
        title.textContent = whose + (speakers.size === 1 ? `seat ${found[0][1] + 1} printed` : "printed");
        title.textContent = title.textContent[0].toUpperCase() + title.textContent.slice(1);
        text.textContent = found.map(([, seat, words]) => (speakers.size > 1 ? `Seat ${seat + 1}:\n${words}` : words)).join("\n");
        text.hidden = !found.length;
        none.hidden = !!found.length;
        text.scrollTop = text.scrollHeight; // what matters of a fault is at its end
      },
    };
  };

  const KEYS = [
    ["← →", "turn"], ["Home End", "first and last"], ["Space", "play, pause"],
    ["m", "next mistake; with Shift the one before"], ["a", "all cards"], ["1 2 …", "as that seat sees it"], ["?", "this list"],
  ];

  const aboutPanel = (viewer) => {
    const { data, drawing } = viewer.main;
    const slowest = data.charged_us.indexOf(Math.max(...data.charged_us));
    const facts = [
      ["Rules", `${data.rules}, ${Firebox.counted(data.seats.length, "seat")}`],
      ...data.seats.filter((seat) => seat.name).map((seat, at) => [`Seat ${at + 1}`, seat.own ? el("strong", {}, seat.name) : seat.name]),
      ...(slowest < 0 ? [] : [["Slowest", `turn ${slowest}, ${milliseconds(data.charged_us[slowest])} ms`]]),
      ...(viewer.isLive ? [] : drawing.facts?.(viewer.main) ?? []),
    ];
    return Firebox.foldedMore("This game", data.title, [
      el("dl", { class: "facts" }, facts.map(([term, value]) => [el("dt", {}, term), el("dd", {}, value)])),
      Firebox.keyList(KEYS.filter(([key]) => drawing.hides || !["a", "1 2 …"].includes(key))),
    ]);
  };

  Firebox.keyList = (keys) => [
    el("h3", {}, "Keys"),
    el("ul", { class: "keys" }, keys.map(([key, words]) => el("li", {}, key.split(" ").map((each) => [el("kbd", {}, each), " "]), words))),
  ];

  Firebox.showKeys = (root) => {
    const list = root.querySelector(".keys");
    if (!list) return;
    list.closest("details").open = true;
    list.scrollIntoView({ block: "nearest" });
  };

  Firebox.aboutPanel = aboutPanel;
  Firebox.goes = goes;
}
