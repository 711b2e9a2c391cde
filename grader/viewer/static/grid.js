// A table that is a grid, drawn from the game's data: what stands in a cell, and which fields of an action
// name one. A click on a cell chooses that action. No rules.
"use strict";

{
  const { el, hidden } = Firebox;

  const piece = (letter, { colour, disc }) =>
    el("span", { class: `piece colour-${colour}${disc ? " disc" : ""}`, "aria-hidden": "true" }, letter);

  const board = (game) => {
    const { pieces } = game.data.grid;
    const own = (index) => Object.entries(pieces).find(([, each]) => each.seat === index);
    const places = Firebox.places(game, (index) => (own(index) ? piece(...own(index)) : null));
    const cells = el("div", { class: "grid-cells", role: "table", "aria-label": game.boardName });
    const mark = Firebox.oneStop(cells, ".pick");

    const cell = (letter, row, column, isNew, view) => {
      const what = letter ? pieces[letter].words : "empty";
      const drawing = [letter ? piece(letter, pieces[letter]) : null, hidden(`row ${row + 1}, column ${column + 1}: ${what}`)];
      return el("div", { role: "cell", class: `grid-cell${isNew ? " new" : ""}` }, view.pickable?.([row, column], drawing) ?? drawing);
    };

    return {
      element: el("section", { class: "board grid-board", "aria-label": game.boardName }, places.element, cells),
      show: (frame, view) => {
        const isNew = (row, column) => frame.changed.some(([r, c]) => r === row && c === column);
        Firebox.fill(cells, { vars: { "--columns": frame.grid[0].length, "--rows": frame.grid.length } }, []);
        places.show(frame, view);
        cells.replaceChildren(...frame.grid.map((letters, row) =>
          el("div", { role: "row" }, letters.map((letter, column) => cell(letter, row, column, isNew(row, column), view)))));
        mark();
      },
    };
  };

  // The actions that a cell stands for: those whose fields name it.
  const act = (table) => {
    const { cell } = table.main.data.grid;
    const isNamed = (action) => cell.every((field) => field in action);
    const named = ([row, column]) => table.legalFor((action) =>
      cell.every((field, at) => action[field] === (cell.length === 1 || at ? column : row)));
    const keyOf = (options) => options.map(({ move }) => move).join(" ");

    const pick = (key) => {
      const options = table.legalFor(() => true).filter(({ move }) => key.split(" ").includes(move));
      table.choose({ key, options, focus: `cell ${key}`, title: el("span", { class: "again" }, "Click it again, or") });
    };

    const pickable = (place, drawing) => {
      const options = named(place);
      if (!options.length) return drawing;
      const key = keyOf(options);
      return el("button", {
        type: "button", class: "plain pick", "data-key": `cell ${key}`, title: options.map(({ words }) => words).join(", "),
        "aria-pressed": String(table.holds(key)), on: { click: () => pick(key) },
      }, drawing);
    };

    return {
      pick,
      pickable,
      others: () => table.legalFor((action) => !isNamed(action)), // such as a pass
      usual: () => (!table.legalFor(isNamed).length ? "" : cell.length === 1 ? "Choose a column." : "Choose a cell."),
    };
  };

  Firebox.games.grid = { symbols: {}, board, act };
}
