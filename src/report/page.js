// The sections of the page, top to bottom. Names come from files and are only ever set as text.
const make = (tag, attributes, ...children) => {
  const element = document.createElementNS(
    tag === "svg" || (attributes && attributes.svg) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml", tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "svg" || value === undefined || value === false) continue;
    if (name === "onclick") element.addEventListener("click", value);
    else element.setAttribute(name, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
};
const table = (caption, head, rows) => make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
  make("table", {}, make("caption", {}, caption),
    make("thead", {}, make("tr", {}, head.map((it) => make("th", { scope: "col" }, it)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((it) => (it instanceof Element && it.localName === "td" ? it : make("td", {}, it))))))));
/** A sentence whose names stand between backticks. */
const rich = (text) => text.split("`").map((part, place) => (place % 2 === 1 ? make("code", {}, part) : part));
const section = (id, title, ...children) =>
  make("section", { id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title` }, title), ...children);
const others = (count) => (count === 1 ? "1 other is 0" : `${count} others are 0`);
const PLAYER = { exists: "The planner", forall: "The opponent" };
const isFormula = data.sense === null;
const plans = Plans(data);
if (data.exact) Exact.beExact();
const tell = Exact.tell;

/** A play as a list of stages; `more` adds something behind a move. */
const timeline = (moves, more = () => null) => {
  const list = make("ol", { class: "play" });
  const values = new Map();
  for (let start = 0; start < moves.length;) {
    const block = plans.variables[moves[start].at].block;
    let end = start;
    while (end < moves.length && plans.variables[moves[end].at].block === block) end += 1;
    const stage = moves.slice(start, end);
    for (const { at, value } of stage) values.set(at, value);
    const { player } = plans.variables[stage[0].at];
    const zeros = stage.length > (data.scene ? 3 : 24) ? stage.filter((it) => it.value[0] === 0n) : [];
    const shown = zeros.length > 0 ? stage.filter((it) => it.value[0] !== 0n) : stage;
    const cost = isFormula ? null : `so far ${tell(plans.running(values))}`;
    list.append(make("li", { class: player },
      make("span", { class: "who" }, PLAYER[player]),
      make("span", { class: "moves" },
        shown.map((it) => make("span", {}, make("code", {}, Exact.equation(plans.variables[it.at].name, it.value)), more(it))),
        zeros.length > 0 ? make("span", { class: "soft" }, others(zeros.length)) : null),
      cost === null ? null : make("span", { class: "running" }, cost)));
    start = end;
  }
  return list;
};

const answer = () => {
  const facts = make("dl", { class: "figures" });
  const fact = (name, value) => facts.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  if (data.answer.objective !== null) fact("Guaranteed", tell(Exact.read(data.answer.objective)));
  if (data.answer.bound !== null && data.answer.bound !== data.answer.objective) {
    fact("Nothing better than", tell(Exact.read(data.answer.bound)));
  }
  if (data.answer.gap !== null) fact("Gap", data.answer.gap);
  fact("Certificate", make("span", { class: data.answer.checked ? "good" : "" }, data.answer.checked ? "checked" : "none"));
  const first = data.answer.first.map(([name, value]) => [name, Exact.read(value)]);
  const nonzero = first.filter(([, value]) => value[0] !== 0n);
  const shown = first.length > (data.scene ? 1 : 12) ? nonzero : first;
  const left = first.length - shown.length;
  const now = shown.map(([name, value]) => Exact.equation(name, value)).join(", ");
  return make("section", { id: "answer", "aria-label": "The answer" },
    make("p", { class: "headline" }, data.answer.sentence), facts,
    make("p", { class: "soft" }, rich(data.answer.proof)),
    first.length > 0 ? make("p", {}, make("strong", {}, "Decide now: "), now,
      left > 0 ? `${shown.length > 0 ? "; " : ""}${others(left)}` : null) : null);
};

const rowsAt = (values) => {
  const found = { exists: [], forall: [] };
  for (const owner of ["exists", "forall"]) {
    for (const row of plans.systems[owner]) {
      const [least, most] = plans.range(row, values);
      if (!least || !most || Exact.compare(least, most) !== 0 || row.terms.length === 0) continue;
      const equation = row.lower && row.upper && Exact.compare(row.lower, row.upper) === 0;
      const touches = [row.lower, row.upper].some((side) => side && Exact.compare(side, least) === 0);
      if (touches && !equation) found[owner].push(row.label);
    }
  }
  return found;
};

const worst = () => {
  if (data.play.length === 0) return null;
  const moves = data.play.map(([at, value]) => ({ at, value: Exact.read(value) }));
  const values = new Map(moves.map((it) => [it.at, it.value]));
  const rows = rowsAt(values);
  const isWhole = moves.length === plans.variables.length;
  const list = (labels, none) => (labels.length > 0 ? labels.slice(0, 40).join(", ") : none);
  const body = [timeline(moves)];
  if (!isWhole) body.push(make("p", { class: "soft" }, "What follows does not change the result."));
  if (isWhole && data.answer.status !== "infeasible") {
    const parts = data.variables.flatMap((variable, at) => {
      if (!variable.cost || !values.has(at)) return [];
      const part = Exact.times(Exact.read(variable.cost), values.get(at));
      return part[0] === 0n ? [] : [[variable.name, part]];
    });
    if (!isFormula) body.push(make("p", {}, `It is worth ${tell(plans.running(values))}: `,
      parts.slice(0, 24).map(([name, part]) => `${Exact.brief(part)} for ${name}`).join(", ") || "nothing is paid",
      parts.length > 24 ? ` and ${parts.length - 24} more` : null, "."));
    if (!data.scene) body.push(make("p", {}, make("strong", {}, "Rows that leave no room there: "), list(rows.exists, "none but equations"), "."));
    if (plans.systems.forall.length > 0 && !data.scene) {
      body.push(make("p", {}, make("strong", {}, "Rows that hold the opponent back there: "), list(rows.forall, "none but equations"), "."));
    }
  }
  const isLost = data.answer.status === "infeasible";
  return section("worst", isLost ? "How the rows are lost" : data.has_opponent ? "What it is robust against" : "The solution",
    make("p", { class: "soft" }, data.play_means), body);
};

/** Bars from the best to the worst value of a list. */
const priceTable = () => {
  const known = data.price.entries.filter((it) => it.value !== null).map((it) => Exact.approximate(Exact.read(it.value)));
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  const rows = data.price.entries.map((entry) => {
    const share = entry.value === null ? null : Math.abs(Exact.approximate(Exact.read(entry.value))) / (Math.max(high, -low) || 1);
    return [make("td", {}, rich(entry.name)), make("td", {}, rich(entry.words)), make("td", { class: "scale", "aria-hidden": "true" },
      share === null ? null : make("span", { class: entry.scenario ? "bar forall" : "bar", style: `width:${(100 * share).toFixed(1)}%` }))];
  });
  return section("price", "The price of robustness",
    make("p", { class: "soft" }, "The value beside those of easier and harder games: with an opponent who helps, with a play of the opponent that is known beforehand, with all decisions made beforehand."),
    table("Values of other games", ["game", "value", ""], rows),
    data.price.complete ? null : make("p", { class: "soft" }, "The opponent has more plays than are listed, or they depend on what is decided."));
};

const alternatives = () => {
  const { tried, left_out: left } = data.alternatives;
  const mark = (it) => make("td", {}, it.as_good === true ? make("span", { class: "good" }, "as good") : it.as_good === false ? "worse" : "not found out");
  return section("first", "What else could be decided first",
    make("p", { class: "soft" }, "Each line is solved on its own, with everything else free." + (left > 0 ? "" : " Every optimal first decision is the one above or inside of a line that is as good.")),
    table("Alternatives to the first decision", ["with", "becomes", ""], tried.map((it) => [make("code", {}, it.change), make("td", {}, rich(it.words)), mark(it)])),
    left > 0 ? make("p", { class: "soft" }, `${left} more were not looked at; --alternatives allows more.`) : null);
};

const refutation = () => {
  const moves = data.core.play.map(([at, value]) => ({ at, value: Exact.read(value) }));
  return section("lost", "Why it is lost", moves.length > 0 ? [make("h3", {}, "A refuting play"), timeline(moves)] : null,
    data.core.sentences.map((it) => make("p", {}, rich(it))));
};

const firstMoves = () => {
  const { moves, complete } = data.first_moves;
  return section("best", moves.length === 1 && complete ? "The best first decision, and the only one" : "All best first decisions",
    make("p", { class: "soft" }, complete ? "Each of these guarantees the value, and no other first decision does." : "Each of these guarantees the value; there may be more."),
    make("ul", {}, moves.map((it) => make("li", {}, make("code", {}, it)))));
};

const granted = () => section("granted", "What the answer takes for granted", data.granted.map((it) => make("p", {}, rich(it))));

/** The value against a budget of the opponent: a table and a line. */
const curve = () => {
  const { row, side, points } = data.curve;
  const known = points.filter(([, value]) => value !== null).map(([at, value]) => [at, value].map((it) => Exact.approximate(Exact.read(it))));
  const [width, height, left, foot] = [480, 180, 70, 30];
  const [xs, ys] = [known.map((it) => it[0]), known.map((it) => it[1])];
  const [low, high, first, last] = [Math.min(...ys), Math.max(...ys), Math.min(...xs), Math.max(...xs)];
  const x = (it) => left + (width - left - 20) * ((it - first) / (last - first || 1));
  const y = (it) => 12 + (height - foot - 20) * ((high - it) / (high - low || 1));
  const text = (at, to, words, anchor) => make("text", { svg: true, x: at, y: to, "text-anchor": anchor }, words);
  const picture = known.length < 2 ? null : make("figure", {},
    make("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "Value against the budget" },
      make("path", { svg: true, class: "axis", fill: "none", d: `M${left} 8 V${height - foot} H${width - 10}` }),
      text(left - 6, 18, String(Number(high.toPrecision(6))), "end"), text(left - 6, height - foot, String(Number(low.toPrecision(6))), "end"),
      text(x(first), height - 8, String(Number(first.toPrecision(6))), "middle"), text(x(last), height - 8, String(Number(last.toPrecision(6))), "middle"),
      make("path", { svg: true, class: "own", d: known.map(([at, value], place) => `${place === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join(" ") }),
      known.map(([at, value]) => make("circle", { svg: true, cx: x(at), cy: y(value), r: 4, fill: "var(--own)" }))));
  return section("budget", "The value against the opponent's budget",
    make("p", { class: "soft" }, "Every line is proved, with another side of this row of the opponent and all else as it is."),
    picture, table("Value for other sides", ["row", "value", ""], points.map(([at, , words]) =>
      [make("td", {}, rich(row), ` ${at}`), words, at === side ? "as it is" : ""])));
};

const chart = () => {
  const points = data.trace.map(([at, value, bound]) => [at, value && Exact.approximate(Exact.read(value)), bound && Exact.approximate(Exact.read(bound))]);
  const heights = points.flatMap(([, value, bound]) => [value, bound]).filter((it) => it !== null);
  if (points.length < 2 || heights.length === 0) return null;
  const [width, height, left, foot] = [640, 220, 70, 30];
  const last = points[points.length - 1][0] || 1;
  let [low, high] = [Math.min(...heights), Math.max(...heights)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const x = (it) => left + (width - left - 10) * (it / last);
  const y = (it) => 10 + (height - foot - 10) * ((high - it) / (high - low));
  const line = (column, kind) => {
    let path = "";
    let before = null;
    for (const point of points) {
      if (point[column] === null) continue;
      path += before === null ? `M${x(point[0]).toFixed(1)} ` : `H${x(point[0]).toFixed(1)} V`;
      path += `${y(point[column]).toFixed(1)} `;
      before = point[column];
    }
    return make("path", { svg: true, class: kind, d: path });
  };
  const text = (at, to, words, anchor) => make("text", { svg: true, x: at, y: to, "text-anchor": anchor }, words);
  const round = (it) => String(Number(it.toPrecision(6)));
  const picture = make("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "Strategy and bound over time" },
    make("path", { svg: true, class: "axis", fill: "none", d: `M${left} 10 V${height - foot} H${width - 10}` }),
    text(left - 6, 18, round(high), "end"), text(left - 6, height - foot, round(low), "end"),
    text(left, height - 8, "0 s", "start"), text(width - 10, height - 8, `${round(last)} s`, "end"),
    line(1, "own"), line(2, "other"));
  return section("time", "Strategy and bound over time",
    make("figure", {}, picture, make("figcaption", {}, "Solid: the value of the best strategy so far. Dashed: what is proved on the other side.")));
};

const model = () => section("model", "Model and solve",
  table("What was solved and how", ["", ""], data.facts.map(([name, value]) => [name, value])),
  make("p", {}, "This page again: ", make("code", {}, data.command)),
  make("details", {}, make("summary", {}, "Text of the model"), data.text_cut ? make("p", { class: "soft" }, "Only its beginning; the file is too long for a page.") : null,
    make("pre", { tabindex: "0" }, data.text)));

const main = document.querySelector("main");
const shade = document.getElementById("shade");
shade.hidden = false;
shade.addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.classList.contains("dark")
    || (!root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", !isDark);
  root.classList.toggle("light", isDark);
});
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((it) => { it.open = true; }));
main.append(...[
  answer(), data.scene && explorer(), worst(), data.core && refutation(), !data.scene && explorer(), data.price && priceTable(), data.curve && curve(),
  data.first_moves && firstMoves(), data.alternatives && alternatives(), data.granted.length > 0 && granted(), data.missing.length > 0 && section("missing", "What this page does not tell", data.missing.map((it) => make("p", {}, rich(it)))),
  chart(), model(),
].filter(Boolean));
document.querySelector("footer").textContent = `Made by quip ${data.version}. Numbers are exact; what is marked ≈ is rounded for reading.`;
document.documentElement.dataset.ready = "yes";
