// The board of a game: what the moves of a position do to its places. Moves are variables with values; a
// reading says which variables it understands, and what they do.
const Board = (scene, plans) => {
  const ESCAPE = /[.*+?^${}()|[\]\\]/g;
  const reads = scene.reads.map((it) => ({
    ...it, pattern: new RegExp(`^${it.pattern.split("#").map((part) => part.replace(ESCAPE, "\\$&")).join("(-?\\d+)")}$`),
  }));
  const [xs, ys] = [0, 1].map((axis) => scene.places.map((place) => place[axis]));
  const size = { squares: 58, hexes: 58, graph: 84, heaps: 36 }[scene.shape];
  const gap = scene.shape === "graph" ? 40 : size / 2 + (scene.shape === "squares" ? 20 : 8);
  const at = ([column, row]) => [gap + size * (column + (scene.shape === "hexes" ? row / 2 : 0)), gap + size * row];

  /** What a move means: the reading, the place or places, and whom it moves; null if it is none. */
  const meaning = (name, value) => {
    for (const read of reads) {
      const found = read.pattern.exec(name);
      if (!found) continue;
      if (read.binary && value !== 1) return null;
      const numbers = [...found.slice(1).map(Number), value, 1];
      let sum = 0;
      read.factors.forEach((factor, place) => { sum += factor * numbers[place]; });
      const count = scene.places.length;
      const entry = read.table.length > 0 ? read.table[sum]
        : read.effect === "carry" ? [Math.floor(sum / count), sum % count] : [sum];
      // Of several walkers the second number of a name tells which one it is.
      const who = read.effect === "stand" ? read.token + (numbers.length > 4 ? numbers[1] : "") : read.token;
      return entry && entry.length > 0 ? { read, entry, who } : null;
    }
    return null;
  };

  /** What stands where after these moves. */
  const after = (moves) => {
    const state = { tokens: new Map(), stands: new Map(), passed: [], gone: new Set(), last: null };
    for (const [place, token] of scene.tokens) {
      if (scene.shape === "graph") state.stands.set(token, place);
      else state.tokens.set(place, token);
    }
    for (const { at: variable, value } of moves) {
      const it = meaning(plans.variables[variable].name, Number(value[0]) / Number(value[1]));
      if (it && it.read.role !== "announced") state.last = play(state, it) ?? state.last;
    }
    return state;
  };
  const play = (state, { read, entry, who }) => {
    switch (read.effect) {
      case "put": {
        const place = entry.find((it) => !state.tokens.has(it));
        if (place === undefined || place >= scene.places.length) return null;
        state.tokens.set(place, read.token);
        return place;
      }
      case "carry": {
        const [from, to] = entry;
        if (!state.tokens.has(from)) return null;
        state.tokens.set(to, state.tokens.get(from));
        state.tokens.delete(from);
        return to;
      }
      case "take": {
        const [amount, ...places] = entry;
        places.filter((it) => state.tokens.has(it)).slice(-amount).forEach((it) => state.tokens.delete(it));
        return null;
      }
      case "erase": state.gone.add(entry[0]); return null;
      case "follow": case "walk": case "stand": {
        const place = read.effect === "follow" ? scene.arrows[entry[0]][1] : entry[0];
        if (place >= scene.places.length || state.stands.get(who) === place) return null;
        if (read.effect !== "stand" && state.stands.has(who)) state.passed.push(state.stands.get(who));
        state.stands.set(who, place);
        return place;
      }
    }
    return null;
  };
  /** Where a move would be seen, for a click; null if it has no place. */
  const target = (state, name, value) => {
    const it = meaning(name, value);
    if (!it || it.read.role === "shown") return null;
    const { read, entry } = it;
    if (read.effect === "put") return entry.find((place) => !state.tokens.has(place)) ?? null;
    if (read.effect === "carry") return entry[1];
    if (read.effect === "take") {
      const [amount, ...places] = entry;
      return places.filter((place) => state.tokens.has(place)).slice(-amount)[0] ?? null;
    }
    return read.effect === "walk" || read.effect === "stand" ? entry[0] : null;
  };

  const svg = (tag, attributes, ...children) => make(tag, { svg: true, ...attributes }, ...children);
  const COLOURS = { b: "var(--ink)", w: "var(--paper)", x: "var(--own)", o: "var(--other)", c: "var(--own)", r: "var(--other)", "●": "var(--own)", "•": "var(--ink)" };
  /** A token as a shape; `name` is what it is called. */
  const drawn = (token, [x, y], radius) => {
    const kind = token[0];
    if (kind === "x" || kind === "o") {
      const half = radius * 0.7;
      return kind === "o" ? svg("circle", { cx: x, cy: y, r: half, fill: "none", stroke: COLOURS.o, "stroke-width": 4 })
        : svg("path", { d: `M${x - half} ${y - half} L${x + half} ${y + half} M${x + half} ${y - half} L${x - half} ${y + half}`, stroke: COLOURS.x, "stroke-width": 4, fill: "none" });
    }
    if (kind in COLOURS) return svg("circle", { cx: x, cy: y, r: radius, fill: COLOURS[kind], stroke: "var(--ink)", "stroke-width": 1.5 });
    return svg("text", { x, y: y + radius * 0.8, "text-anchor": "middle", "font-size": radius * 2.3, class: "piece" }, token);
  };

  /** Where moves can be clicked: places, each with what is clicked first. `offered` are values of the
   *  variable that is awaited; of 0/1 variables every one of its block is a move. */
  const choices = (position, offered) => {
    const found = new Map();
    if (position.awaits === null) return found;
    const state = after(position.moves);
    const add = (at, value) => {
      const place = target(state, plans.variables[at].name, value);
      if (place !== null && !found.has(place)) found.set(place, { at, value });
    };
    const { block, name } = plans.variables[position.awaits];
    if (reads.some((it) => !it.binary && it.pattern.test(name))) {
      for (const value of offered) add(position.awaits, Number(value[0]) / Number(value[1]));
    } else {
      for (let at = position.awaits; plans.variables[at]?.block === block; at += 1) add(at, 1);
    }
    return found;
  };

  /** The picture of a position; places that can be clicked call `play` with their number. */
  const draw = (position, clickable, play) => {
    const state = after(position.moves);
    const [width, height] = [Math.max(...scene.places.map((it) => at(it)[0])) + gap, Math.max(...scene.places.map((it) => at(it)[1])) + gap];
    const words = scene.places.map((place, number) => {
      const tokens = [state.tokens.get(number), ...[...state.stands].filter(([, stand]) => stand === number).map(([who]) => who)].filter(Boolean);
      return tokens.length > 0 ? `${place[2]} ${tokens.join(" ")}` : null;
    }).filter(Boolean);
    const picture = make("svg", { viewBox: `0 0 ${width} ${height}`, width: Math.min(width, 640), role: "group", class: "board", "aria-label": `The board: ${words.join(", ") || "empty"}` });
    const ink = "var(--line)";
    if (scene.shape === "graph") {
      picture.append(svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto-start-reverse" }, svg("path", { d: "M0 0 L8 4 L0 8 Z", fill: "var(--soft)" }))));
      const both = new Set(scene.arrows.map(([from, to]) => `${to} ${from}`));
      scene.arrows.forEach(([from, to, label], number) => {
        const twin = both.has(`${from} ${to}`);
        if (twin && from > to) return;
        const [[x1, y1], [x2, y2]] = [at(scene.places[from]), at(scene.places[to])];
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [dx, dy] = [(17 * (x2 - x1)) / length, (17 * (y2 - y1)) / length];
        const isGone = state.gone.has(number);
        picture.append(svg("path", { d: `M${x1 + dx} ${y1 + dy} L${x2 - dx} ${y2 - dy}`, stroke: isGone ? "var(--other)" : "var(--soft)", "stroke-width": 1.5, "stroke-dasharray": isGone ? "3 5" : undefined, "marker-end": "url(#tip)", "marker-start": twin ? "url(#tip)" : undefined }));
        if (label) picture.append(svg("text", { x: x1 + (x2 - x1) * 0.36, y: y1 + (y2 - y1) * 0.36 - 4, "text-anchor": "middle", "font-size": 12, class: isGone ? "gone" : "label" }, isGone ? `${label} gone` : label));
      });
    }
    scene.places.forEach((place, number) => {
      const [x, y] = at(place);
      const half = size / 2;
      const can = clickable.has(number);
      const shape = scene.shape === "squares" ? svg("rect", { x: x - half, y: y - half, width: size, height: size, fill: "var(--paper)", stroke: ink })
        : scene.shape === "hexes" ? svg("polygon", { points: [0, 1, 2, 3, 4, 5].map((it) => `${x + (half / 0.866) * Math.sin((Math.PI * it) / 3)},${y + (half / 0.866) * Math.cos((Math.PI * it) / 3)}`).join(" "), fill: "var(--paper)", stroke: ink })
          : scene.shape === "graph" ? svg("circle", { cx: x, cy: y, r: 17, fill: state.passed.includes(number) ? "var(--line)" : "var(--paper)", stroke: "var(--soft)" })
            : svg("rect", { x: x - half, y: y - half, width: size, height: size, fill: "transparent", stroke: "none" });
      const group = svg("g", can ? { class: "choice", tabindex: "0", role: "button", "aria-label": `play ${place[2]}` } : {}, shape);
      const token = state.tokens.get(number);
      if (token) group.append(drawn(token, [x, y], size * (scene.shape === "heaps" ? 0.28 : 0.34)));
      const here = [...state.stands].filter(([, stand]) => stand === number).map(([who]) => who);
      // Who stands on a node fills it; a second one is beside it.
      if (here.length > 0) shape.setAttribute("fill", COLOURS[here[0][0]]);
      here.slice(1).forEach((who, beside) => group.append(drawn(who, [x + 16, y - 16 + 12 * beside], 7)));
      if (scene.shape === "graph") group.append(svg("text", { x, y: y + 5, "text-anchor": "middle", class: here.length > 0 ? "stood" : "label" }, place[2]));
      if (state.last === number && scene.shape !== "graph") group.append(svg("circle", { cx: x, cy: y, r: 3, fill: "var(--other)" }));
      group.append(svg("title", {}, place[2]));
      if (can) {
        const choose = () => play(number);
        group.addEventListener("click", choose);
        group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
      }
      picture.append(group);
    });
    if (scene.shape === "squares") {
      const columns = [...new Set(xs)].sort((one, two) => one - two);
      const rows = [...new Set(ys)].sort((one, two) => one - two);
      // `b3` is a column and a row; any other name is that of a column.
      const name = (places, number) => /^([a-z])(\d+)$/.exec(scene.places[places.indexOf(number)][2]) || [null, scene.places[places.indexOf(number)][2].slice(0, 6), ""];
      for (const row of rows) picture.append(svg("text", { x: 10, y: at([0, row])[1] + 4, "text-anchor": "middle", class: "label" }, name(ys, row)[2]));
      for (const column of columns) picture.append(svg("text", { x: at([column, 0])[0], y: height - 6, "text-anchor": "middle", class: "label" }, name(xs, column)[1]));
    }
    return make("figure", { class: "wide" }, picture);
  };
  return { draw, choices, after, target };
};
