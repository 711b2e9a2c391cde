// The viewer's controls: what happened in a sentence, transport, slider with its marks, parts.
"use strict";

{
  const { el, svg, icon, icons, button } = Firebox;

  Firebox.dock = (viewer) => {
    const pair = viewer.games.length > 1;
    const act = {
      first: button("First turn", icon(icons.first), () => viewer.step(viewer.part().first - viewer.position)),
      back: button("Back one turn", icon(icons.back), () => viewer.step(-1)),
      play: button("Play", icon(icons.play), () => viewer.toggle(), { class: "primary" }),
      forward: button("Forward one turn", icon(icons.forward), () => viewer.step(1)),
      last: button("Last turn", icon(icons.last), () => viewer.step(viewer.part().last - viewer.position)),
    };
    const jumpWords = pair ? "Next different turn" : viewer.main.drawing.jumpWords ?? "Next mistake, lost point or fault";
    const jumpIcon = pair ? icons.differs : viewer.main.drawing.jumpIcon ?? icons.mistake;
    act.jump = button(jumpWords, [icon(jumpIcon, "icon sign"), icon(icons.forward)], () => viewer.jump(1), { class: "jump" });
    act.speed = button("Speed", "1×", () => {
      act.speed.textContent = `${viewer.faster()}×`;
    }, { class: "speed" });

    const sentence = el("p", { class: "sentence" });
    const slider = el("input", {
      type: "range", min: 0, max: viewer.last, step: 1, "aria-label": "Turn",
      on: { input: () => { viewer.pause(); viewer.show(Number(slider.value), { still: true }); } },
    });
    const chart = el("div", { class: "score-chart", "aria-hidden": "true" });
    const marks = el("div", { class: "marks", "aria-hidden": "true" });
    const labels = el("div", { class: "labels", "aria-hidden": "true" });
    const track = el("div", { class: "track" }, chart, labels, slider, marks);
    const parts = partButtons(viewer);
    const element = el("div", { class: "dock" },
      el("div", { class: "dock-row" }, sentence, el("div", { class: "transport", role: "group", "aria-label": "Turns" }, Object.values(act))),
      track);

    let shown = null;
    const fitPart = () => {
      const part = viewer.part();
      if (part === shown) return;
      const isFirst = shown === null;
      shown = part;
      Object.assign(slider, { min: part.first, max: part.last });
      marks.replaceChildren(...marksOf(viewer, part));
      labels.replaceChildren(...(viewer.main.drawing.labels?.(viewer, part) ?? []));
      if (!isFirst) drawChart(); // the observer draws the first one, when the page has been laid out
    };
    const drawChart = () => {
      const draw = viewer.main.drawing.chart;
      const width = chart.clientWidth;
      if (draw && width) chart.replaceChildren(draw(viewer.games, width, chart.clientHeight, viewer));
      else chart.hidden = !draw;
    };
    new ResizeObserver(drawChart).observe(chart);

    return {
      element,
      parts: parts.element,
      playing: (on) => {
        act.play.replaceChildren(icon(on ? icons.pause : icons.play));
        act.play.title = on ? "Pause" : "Play";
        act.play.setAttribute("aria-label", act.play.title);
      },
      show: () => {
        fitPart();
        const { position } = viewer;
        slider.value = position;
        slider.setAttribute("aria-valuetext", viewer.words());
        track.style.setProperty("--at", place(shown, position));
        sentence.replaceChildren(...(pair ? pairSentence(viewer) : viewer.sentence()));
        act.back.disabled = act.first.disabled = position === 0;
        act.forward.disabled = act.last.disabled = position === viewer.last;
        act.jump.disabled = !viewer.jumps.some((at) => at > position);
        track.classList.toggle("at-fault", viewer.main.at(position).mark === "fault");
        parts.show();
      },
    };
  };

  // Where a position lies on the slider, from 0 to 1.
  const place = (part, position) => (part.last === part.first ? 0 : (position - part.first) / (part.last - part.first));
  Firebox.place = place;

  const marksOf = (viewer, part) =>
    viewer.main.frames.flatMap((frame, position) => {
      if (position < part.first || position > part.last || !["loss", "mistake", "fault"].includes(frame.mark)) return [];
      if (viewer.main.drawing.labels && frame.mark !== "fault") return [];
      return [el("span", {
        class: `mark ${frame.mark}`, title: frame.effect, vars: { "--at": place(part, position) },
        on: { click: () => viewer.show(position, { still: true }) },
      }, icon(icons[frame.mark]))];
    });

  const pairSentence = (viewer) => {
    const parting = viewer.jumps[0];
    const name = viewer.main.name(viewer.position);
    const words = parting === undefined
      ? "The two games are the same."
      : parting === 1 ? "They differ from the first turn." : `The same until ${viewer.main.name(parting - 1).toLowerCase()}.`;
    const key = viewer.main.drawing.chart ? `Dashed: ${viewer.games[1].data.label}` : "";
    return [el("span", { class: "turn-name" }, name), " ", words, " ", el("small", { class: "soft" }, key)];
  };

  const partButtons = (viewer) => {
    if (viewer.parts.length < 2) return { element: null, show: () => {} };
    const buttons = viewer.parts.map((part) =>
      el("button", { type: "button", class: "part", on: { click: () => { viewer.pause(); viewer.show(part.first, { still: true }); } } },
        el("b", {}, part.title), el("span", {}, part.note)));
    const row = el("div", { class: "part-row", role: "group", "aria-label": viewer.main.drawing.partsWords }, buttons);
    return {
      element: el("div", { class: "parts" }, el("p", { class: "soft" }, viewer.main.drawing.partsWords), row),
      show: () => {
        const at = viewer.parts.indexOf(viewer.part());
        buttons.forEach((each, index) => each.setAttribute("aria-pressed", String(index === at)));
        const now = buttons[at];
        const hidden = now.offsetLeft < row.scrollLeft || now.offsetLeft + now.offsetWidth > row.scrollLeft + row.clientWidth;
        if (hidden) row.scrollLeft = now.offsetLeft - row.clientWidth / 3;
      },
    };
  };

  // A line in steps through [position, value], from the left end of the slider to the right one.
  Firebox.steps = (values, x, y) =>
    values.map((value, at) => (at ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}` : `M${x(0).toFixed(1)} ${y(value).toFixed(1)}`)).join("");

  Firebox.hatching = () =>
    svg("defs", {}, svg("pattern", { id: "hatching", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("line", { x1: 0, y1: 0, x2: 0, y2: 7, class: "hatch" })));
}
