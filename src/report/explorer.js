// The strategy explorer: the reader makes the moves of one player, the stored plan answers.
// A position is part of the address, so that a play can be sent as a link.
const explorer = () => {
  const stored = { planner: data.strategy, opponent: data.refutation };
  const sides = Object.keys(stored).filter((side) => stored[side] !== null);
  if (sides.length === 0) return null;
  const MOST_BUTTONS = data.scene ? 100 : 24;
  const picture = data.scene && Board(data.scene, plans);
  const ready = {};
  const planOf = (side) => (ready[side] ||= new plans.Plan(stored[side]));
  const state = { side: sides[0], given: new Map() };
  const told = make("p", { role: "status", "aria-live": "polite", class: "soft" });
  const board = make("div", {});

  const encoded = () => [state.side, ...[...state.given].map(([at, value]) =>
    `${encodeURIComponent(plans.variables[at].name)}=${Exact.write(value)}`)].join(";");
  const decoded = (text) => {
    const [side, ...moves] = text.replace(/^#/, "").split(";");
    if (!sides.includes(side)) return false;
    const given = new Map();
    for (const made of moves) {
      const cut = made.lastIndexOf("=");
      let name = made.slice(0, cut);
      try { name = decodeURIComponent(name); } catch { /* it is compared as it stands */ }
      const at = data.variables.findIndex((it) => it.name === name);
      const value = Exact.read(made.slice(cut + 1));
      if (at >= 0 && value) given.set(at, value);
    }
    [state.side, state.given] = [side, given];
    return true;
  };

  const go = (given, words, keep) => {
    state.given = given;
    told.textContent = words || "";
    draw();
    if (keep) return;
    try {
      history.replaceState(null, "", `#${encoded()}`);
    } catch { /* a page inside of another one may have no address to write to */ }
  };
  const move = (at, value) => go(new Map(state.given).set(at, value), Exact.equation(plans.variables[at].name, value));
  /** Gives up this move and all that came after it. */
  const backTo = (at) => {
    const given = new Map();
    for (const [made, value] of state.given) {
      if (made === at) break;
      given.set(made, value);
    }
    go(given, "taken back");
  };

  /** A move on the board. Where moves are 0/1 variables, all of the block are decided: those of the place are
   *  1 and the others 0, as far as that is legal. */
  const click = (plan, position, { at, value }, place) => {
    const { block } = plans.variables[at];
    const given = new Map(state.given);
    if (plans.variables[position.awaits].block !== block) return null;
    const state0 = picture.after(position.moves);
    let here = position;
    if (at === position.awaits && plans.variables[at].player === "forall") return move(at, [BigInt(value), 1n]);
    while (here.awaits !== null && plans.variables[here.awaits].block === block) {
      const { name } = plans.variables[here.awaits];
      const first = picture.target(state0, name, 1) === place ? 1n : 0n;
      const found = [first, 1n - first].map((it) => [it, 1n]).find((it) => !plan.refusal(here, here.awaits, it));
      if (!found) break;
      given.set(here.awaits, found);
      here = plan.walk(given);
    }
    return go(given, `${data.scene.places[place][2]} is played`);
  };

  const tried = (plan, position, text) => {
    const value = Exact.read(text);
    const at = position.awaits;
    const reason = value ? plan.refusal(position, at, value) : "it is not a number; write 3, 7/2 or 3.5";
    if (!reason) return move(at, value);
    told.textContent = `${plans.variables[at].name} = ${text} cannot be played: ${reason}.`;
    return null;
  };

  const choices = (plan, position) => {
    const at = position.awaits;
    const variable = plans.variables[at];
    const { values, isAll } = plan.offered(position, at, MOST_BUTTONS);
    const reasons = [];
    const buttons = values.map((value) => {
      const reason = plan.refusal(position, at, value);
      const name = Exact.write(value);
      if (reason) reasons.push([`${variable.name} = ${name}`, reason]);
      return make("button", {
        type: "button", "data-value": name, "aria-disabled": reason ? "true" : undefined,
        title: reason ? `not allowed: ${reason}` : undefined, "aria-label": `${variable.name} = ${name}${reason ? `, not allowed: ${reason}` : ""}`,
        onclick: () => tried(plan, position, name),
      }, name);
    });
    const field = make("fieldset", {}, make("legend", {}, `${plan.owner === "exists" ? "The opponent" : "The planner"}: choose ${variable.name}, ${plans.domain(variable)}`),
      make("div", { class: "choices" }, buttons));
    if (!isAll) field.append(free(plan, position, variable));
    if (reasons.length > 0) {
      const shown = reasons.slice(0, 8).map(([name, why]) => make("li", {}, make("code", {}, name), ` is not allowed: ${why}`));
      field.append(make("ul", { class: "reasons" }, shown, reasons.length > 8 ? make("li", {}, `… ${reasons.length - 8} more`) : null));
    }
    return field;
  };

  /** Any value of a large or a real domain, by a slider or typed. */
  const free = (plan, position, variable) => {
    const typed = make("input", { type: "text", inputmode: "decimal", "aria-label": `value of ${variable.name}`, id: "typed" });
    const play = () => tried(plan, position, typed.value);
    typed.addEventListener("keydown", (event) => { if (event.key === "Enter") play(); });
    const line = make("p", {});
    const [low, high] = [variable.lower, variable.upper].map((it) => it && Exact.approximate(it));
    if (low !== null && high !== null && Math.max(Math.abs(low), Math.abs(high)) < 1e9) {
      const step = variable.kind === "integer" ? 1 : (high - low) / 1000 || 1;
      const slider = make("input", { type: "range", min: low, max: high, step, value: low, "aria-label": `slider of ${variable.name}` });
      slider.addEventListener("input", () => { typed.value = slider.value; });
      line.append(slider, " ");
    }
    line.append(typed, " ", make("button", { type: "button", onclick: play }, "Play"));
    return line;
  };

  const ending = (plan, position) => {
    const { end, moves } = position.end;
    const value = tell(plans.running(position.values));
    const owner = plan.owner === "exists" ? "The planner" : "The opponent";
    const rest = moves.map(([at, move]) => `${plans.variables[at].name} = ${move}`).join(", ");
    const words = {
      complete: isFormula ? "The play is over: all rows hold." : `The play is over. It is worth ${value}.`,
      won: `${owner} has won: the other player's rows cannot hold any more.`,
      ray: "The objective can be improved without end from here.",
      settled: `It is decided: ${rest ? `with ${rest} ` : ""}nothing that follows can do better than the guarantee.`,
      open: "It is decided: nothing that follows can do better than the guarantee. Which moves show it depends on the play.",
      cut: "The plan is larger than this page; what follows here was left out. The command below with --strategy writes all of it.",
    };
    return make("p", {}, make("strong", {}, words[end] || end));
  };

  const rows = (position) => {
    const lines = [];
    for (const [owner, name] of [["exists", "planner"], ["forall", "opponent"]]) {
      for (const row of plans.systems[owner]) {
        if (lines.length >= 200) break;
        const [least, most] = plans.range(row, position.values);
        const isFixed = least && most && Exact.compare(least, most) === 0;
        const now = isFixed ? tell(least) : `${least ? Exact.brief(least) : "-inf"} … ${most ? Exact.brief(most) : "inf"}`;
        const sides = [];
        if (row.lower) sides.push([`>= ${Exact.brief(row.lower)}`, least && Exact.subtract(least, row.lower)]);
        if (row.upper) sides.push([`<= ${Exact.brief(row.upper)}`, most && Exact.subtract(row.upper, most)]);
        const isEquation = row.lower && row.upper && Exact.compare(row.lower, row.upper) === 0;
        const slacks = sides.map(([, slack]) => slack);
        const isSafe = slacks.every((slack) => slack && slack[0] >= 0n);
        const isTight = isFixed && slacks.some((slack) => slack && slack[0] === 0n);
        const state = !isSafe ? (isFixed ? "broken" : "open") : isTight && !isEquation ? "tight" : "holds";
        const tightest = slacks.every(Boolean) && slacks.length > 0 ? slacks.reduce((a, b) => (Exact.compare(a, b) < 0 ? a : b)) : null;
        const side = isEquation ? `= ${Exact.brief(row.upper)}` : sides.map(([words]) => words).join(", ");
        lines.push([make("code", {}, row.label), name, now, side,
          tightest && isSafe ? tell(tightest) : "", make("td", { class: state === "broken" ? "bad" : state === "tight" ? "forall" : "" }, state)]);
      }
    }
    const total = plans.systems.exists.length + plans.systems.forall.length;
    return make("details", { open: total <= 12 ? "" : undefined, id: "rows" }, make("summary", {}, `Rows here (${total})`),
      table("Every row with what it is now or can still become", ["row", "whose", "now", "side", "slack", ""], lines),
      total > lines.length ? make("p", { class: "soft" }, `${total - lines.length} more rows are not shown.`) : null);
  };

  const draw = () => {
    const plan = planOf(state.side);
    const position = plan.walk(state.given);
    const mover = plan.owner === "exists" ? "forall" : "exists";
    const open = document.getElementById("rows")?.open;
    board.replaceChildren();
    if (sides.length > 1) {
      board.append(make("div", { class: "tools", role: "group", "aria-label": "Whose moves you make" }, sides.map((side) =>
        make("button", { type: "button", "aria-pressed": String(side === state.side), onclick: () => { state.side = side; go(new Map(), ""); } },
          side === "planner" ? "Make the opponent's moves" : "Make the planner's moves"))));
    }
    const facts = make("dl", { class: "figures" });
    const fact = (id, name, value) => facts.append(make("div", {}, make("dt", {}, name), make("dd", { id }, value)));
    if (!isFormula) fact("running", "So far", tell(plans.running(position.values)));
    const left = plan.guaranteed(position);
    if (left === -1) fact("guaranteed", "Guaranteed from here", "a win");
    else if (left) fact("guaranteed", plan.owner === "exists" ? "Guaranteed from here" : "Nothing better from here than", tell(left));
    else fact("guaranteed", "Guaranteed", { kept: "all rows hold", won: "a win", lost: "rows are broken", unbounded: "beyond every bound" }[plan.guarantee] || "");
    board.append(facts);
    if (picture) {
      const offered = position.awaits === null ? [] : plan.offered(position, position.awaits, MOST_BUTTONS).values;
      const legal = offered.filter((value) => !plan.refusal(position, position.awaits, value));
      const choices = picture.choices(position, legal);
      board.append(picture.draw(position, choices, (place) => click(plan, position, choices.get(place), place)));
    }
    board.append(timeline(position.moves, (it) => (it.by === mover
      ? make("button", { type: "button", class: "plain", "aria-label": `take ${plans.variables[it.at].name} back`, onclick: () => backTo(it.at) }, "change") : null)));
    if (position.refused) told.textContent = `${plans.variables[position.awaits].name} = ${Exact.write(position.refused[0])} cannot be played: ${position.refused[1]}.`;
    if (position.awaits !== null) board.append(choices(plan, position));
    else board.append(ending(plan, position));
    const line = new Map(data.play.map(([at, value]) => [at, Exact.read(value)]));
    const tools = make("div", { class: "tools" });
    const tool = (key, words, click, isOff) => tools.append(make("button", { type: "button", "data-key": key, "aria-keyshortcuts": key, "aria-disabled": isOff ? "true" : undefined, onclick: isOff ? undefined : click }, `${words} (${key})`));
    if (position.awaits !== null && plan.owner === "exists" && !isFormula) {
      tool("w", "Worst move", () => move(position.awaits, plan.worstMove(position, state.given, MOST_BUTTONS)));
    }
    if (data.play.length > 0 && data.has_opponent) {
      tool("p", data.answer.status === "infeasible" ? "The losing play" : "Worst play", () => go(new Map([...line].filter(([at]) => plans.variables[at].player === mover)), "the worst play"));
    }
    const made = position.moves.filter((it) => it.by === mover);
    tool("b", "One back", () => backTo(made[made.length - 1].at), made.length === 0);
    tool("r", "Start again", () => go(new Map(), "from the beginning"), state.given.size === 0);
    board.append(tools, rows(position));
    const details = board.querySelector("#rows");
    if (open !== undefined && details) details.open = open;
  };

  decoded(location.hash);
  addEventListener("hashchange", () => { if (decoded(location.hash)) go(state.given, "", true); });
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = board.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    const digit = board.querySelector(`.choices [data-value="${CSS.escape(event.key)}"]`);
    (found || digit)?.click();
  });
  draw();
  const sentence = sides[0] === "planner"
    ? "Make the opponent's moves; the strategy answers. Keys: digits choose a value, w, p, b and r are the buttons below. The address of this page holds the play."
    : "Make the moves of the planner; the refutation answers. Keys: digits choose a value, b and r are the buttons below. The address of this page holds the play.";
  return section("explorer", "Play against the strategy", make("p", { class: "soft" }, sentence), told, board);
};
