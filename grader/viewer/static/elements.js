// Builds elements, symbols and lines of text for the viewer. No rules, no state.
"use strict";

const Firebox = { games: {} };

Firebox.fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") Object.entries(value).forEach(([event, act]) => node.addEventListener(event, act));
    else if (name === "vars") Object.entries(value).forEach(([key, set]) => node.style.setProperty(key, set));
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
};

Firebox.el = (tag, attributes = {}, ...children) =>
  Firebox.fill(document.createElement(tag), attributes, children);

Firebox.svg = (tag, attributes = {}, ...children) =>
  Firebox.fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// A drawing on a grid of 24 by 24, for ornament only: what it means stands beside it in words.
Firebox.icon = (path, name = "icon") =>
  Firebox.svg("svg", { viewBox: "0 0 24 24", class: name, "aria-hidden": "true" },
    Firebox.svg("path", { d: path, "fill-rule": "evenodd" }));

// A symbol of the game, in the colour that text of its kind has.
Firebox.symbol = (game, name) =>
  Firebox.icon(game.symbols[name].path, `symbol symbol-${name}`);

// A line of text whose parts are words, or [symbol, words].
Firebox.line = (game, parts) =>
  parts.map((part) => {
    if (typeof part === "string") return part;
    const [name, words] = part;
    if (!name || !game.symbols?.[name]) return Firebox.el("b", {}, words);
    return Firebox.el("b", { class: `word word-${name}` }, Firebox.symbol(game, name), words);
  });

Firebox.plain = (parts) => parts.map((part) => (typeof part === "string" ? part : part[1])).join("");

Firebox.hidden = (words) => Firebox.el("span", { class: "sr-only" }, words);

// Makes the buttons in a box's rows one stop of the Tab key; arrows lead from one to another. Returns a
// function to call whenever the rows are drawn anew.
Firebox.oneStop = (box, selector) => {
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  let [row, column] = [0, 0];
  const rows = () => [...box.children].map((each) => [...each.querySelectorAll(selector)]).filter((each) => each.length);
  const at = (all) => {
    const buttons = all[Math.min(row, all.length - 1)] ?? [];
    return buttons[Math.min(column, buttons.length - 1)];
  };
  const mark = () => {
    const all = rows();
    all.flat().forEach((each) => { each.tabIndex = each === at(all) ? 0 : -1; });
  };
  box.addEventListener("focusin", ({ target }) => {
    const all = rows();
    const found = all.findIndex((each) => each.includes(target));
    if (found < 0) return;
    [row, column] = [found, all[found].indexOf(target)];
    mark();
  });
  box.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || !event.target.matches(selector) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere arrows lead through the turns
    const all = rows();
    row = Math.max(0, Math.min(row + step[0], all.length - 1));
    column = Math.max(0, Math.min(column + step[1], all[row].length - 1));
    at(all).focus();
  });
  return mark;
};

// A setting that this browser keeps, if it lets pages keep anything: true or false.
Firebox.kept = (name, on) => {
  try {
    if (on !== undefined) localStorage.setItem(`firebox-${name}`, on ? "on" : "off");
    return localStorage.getItem(`firebox-${name}`) === "on";
  } catch {
    return false;
  }
};

Firebox.milliseconds = (microseconds) => (microseconds / 1000).toFixed(3);

// A score in points, exactly: 17, -0.5, or "7/240" where no decimals are.
Firebox.points = (data, score) => {
  const [parts, whole] = data.unit ?? [1, 1];
  const common = (one, other) => (other ? common(other, one % other) : Math.abs(one));
  const shared = common(score * parts, whole);
  const [above, below] = [(score * parts) / shared, whole / shared];
  return 1e9 % below ? `${above}/${below}` : Number((above / below).toFixed(9));
};

// A game's score as people read it: "won", "1 point", "-0.5 points".
Firebox.result = (data, score) => (data.results ? data.results[score] : Firebox.counted(Firebox.points(data, score), "point"));

Firebox.counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

Firebox.icons = {
  first: "M5 4h3v16H5zM20 4v16L9 12z",
  back: "M17 4v16L6 12z",
  play: "M7 3.5 20 12 7 20.500z",
  pause: "M6 4h4.500v16H6zM13.500 4H18v16h-4.500z",
  forward: "M7 4l11 8L7 20z",
  last: "M16 4h3v16h-3zM4 4l11 8L4 20z",
  gain: "M12 5 21 20H3Z",
  loss: "M2.500 4.500h19L12 21ZM6.600 7 12 16.200 17.400 7Z",
  mistake: "M5.200 3 12 9.800 18.800 3 21 5.200 14.200 12 21 18.800 18.800 21 12 14.200 5.200 21 3 18.800 9.800 12 3 5.200Z",
  fault: "M8 2h8l6 6v8l-6 6H8l-6-6V8ZM10.700 6h2.600l-.3 8h-2ZM10.600 15.600h2.800v2.700h-2.800Z",
  differs: "M4 8h9.500L15.300 4l2 .9L15.900 8H20v2.500h-5.200l-1.400 3H20V16h-7.700l-1.700 4-2.100-.9L9.900 16H4v-2.500h7l1.400-3H4Z",
  link: "M9.500 14.500 8 16a3.500 3.500 0 0 1-5-5l3.500-3.500a3.500 3.500 0 0 1 5 0l1.400-1.400a5.500 5.500 0 0 0-7.800 0L1.600 9.600a5.500 5.500 0 0 0 7.800 7.800l1.500-1.500ZM14.500 9.500 16 8a3.500 3.500 0 0 1 5 5l-3.500 3.500a3.500 3.500 0 0 1-5 0l-1.400 1.400a5.500 5.500 0 0 0 7.800 0l3.500-3.500a5.500 5.500 0 0 0-7.800-7.800l-1.500 1.500ZM8.500 14.100l5.600-5.600 1.400 1.400-5.600 5.600Z",
};

// What a mark is called, whatever the game.
Firebox.marks = { gain: "points", loss: "points lost", mistake: "mistake", fault: "fault" };
