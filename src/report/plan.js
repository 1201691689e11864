// The rows of the model and the plan of one player, as `quip` plays it. A position is a mixture of
// nodes whose weights add up to one; it is one node but after a real value between two branches.
const Plans = (data) => {
  const E = Exact;
  const number = (text) => (text === null ? null : E.read(text));
  const variables = data.variables.map((it) => ({
    ...it, lower: number(it.lower), upper: number(it.upper), cost: number(it.cost),
  }));
  const system = (rows) => rows.map((row) => ({
    ...row, lower: number(row.lower), upper: number(row.upper),
    terms: row.terms.map(([at, by]) => [at, E.read(by)]),
  }));
  const systems = { exists: system(data.rows), forall: system(data.universal_rows) };
  const other = (player) => (player === "exists" ? "forall" : "exists");

  /** The least and the most that a row can still be; null without an end. */
  const range = (row, values) => {
    let [least, most] = [E.zero, E.zero];
    for (const [at, by] of row.terms) {
      const value = values.get(at);
      let ends = value ? [value, value] : [variables[at].lower, variables[at].upper];
      if (by[0] < 0n) ends = [ends[1], ends[0]];
      least = least && ends[0] ? E.add(least, E.times(by, ends[0])) : null;
      most = most && ends[1] ? E.add(most, E.times(by, ends[1])) : null;
    }
    return [least, most];
  };
  const isPossible = (row, values) => {
    const [least, most] = range(row, values);
    return !(row.lower && most && E.compare(most, row.lower) < 0)
      && !(row.upper && least && E.compare(least, row.upper) > 0);
  };
  /** What the moves so far add up to in the objective. */
  const running = (values) => {
    let sum = E.read(data.constant);
    for (const [at, value] of values) {
      if (variables[at].cost) sum = E.add(sum, E.times(variables[at].cost, value));
    }
    return sum;
  };

  class Plan {
    constructor(stored) {
      Object.assign(this, stored);
      this.nodes = stored.nodes.map((node) => {
        if (node[0] === "c") return { kind: "choose", at: node[1], value: E.read(node[2]), next: node[3] };
        if (node[0] === "e") return { kind: "end", end: node[1], moves: node[2] };
        const branches = node[2].map(([from, to, next]) => ({ from: E.read(from), to: E.read(to), next }));
        const illegal = node[3].map(([from, to, rows]) => ({ from: E.read(from), to: E.read(to), rows }));
        return { kind: "await", at: node[1], branches, illegal };
      });
      this.bound = stored.value === null ? null : E.read(stored.value);
      this.ahead = this.owner === "exists" ? this.worstAhead() : null;
    }

    /** For each node what the rest of the play can cost at most; null where it is not stored, -1
     *  where the opponent is sure to be left without a move. Successors come before a node. */
    worstAhead() {
      const sign = data.sense === "maximize" ? E.negate : (it) => it;
      const ahead = [];
      const costs = (at, value) => (variables[at].cost ? sign(E.times(variables[at].cost, value)) : E.zero);
      const sum = (rest, part) => (rest === null || rest === -1 ? rest : E.add(rest, part));
      for (const node of this.nodes) {
        if (node.kind === "choose") {
          ahead.push(sum(ahead[node.next], costs(node.at, node.value)));
        } else if (node.kind === "await") {
          let worst = -1;
          for (const { from, to, next } of node.branches) {
            for (const value of [from, to]) {
              const found = sum(ahead[next], costs(node.at, value));
              if (found === null || worst === null) worst = null;
              else if (worst === -1 || (found !== -1 && E.compare(found, worst) > 0)) worst = found;
            }
          }
          ahead.push(worst);
        } else {
          ahead.push(node.end === "complete" ? E.zero : node.end === "won" ? -1 : null);
        }
      }
      return ahead;
    }

    /** The nodes after a value of the opponent, with weights; empty where there is no answer. */
    shares(node, at, value) {
      const above = node.branches.findIndex((branch) => E.compare(branch.to, value) >= 0);
      if (above < 0) return [];
      const upper = node.branches[above];
      if (E.compare(upper.from, value) <= 0) return [[upper.next, E.one]];
      if (variables[at].kind !== "real" || above === 0) return [];
      const lower = node.branches[above - 1];
      const share = E.over(E.subtract(value, lower.to), E.subtract(upper.from, lower.to));
      return [[lower.next, E.subtract(E.one, share)], [upper.next, share]];
    }

    /** Why the opponent may not make this move, or null if he may. */
    refusal(position, at, value) {
      const variable = variables[at];
      const outside = (variable.lower && E.compare(value, variable.lower) < 0)
        || (variable.upper && E.compare(value, variable.upper) > 0)
        || (variable.kind === "integer" && !E.isWhole(value));
      if (outside) return `${variable.name} is ${domain(variable)}`;
      const owner = other(this.owner);
      const values = new Map(position.values).set(at, value);
      const broken = systems[owner].find((row) => !isPossible(row, values));
      if (broken) return `it breaks row ${broken.label} of ${owner === "forall" ? "the opponent" : "the planner"}`;
      for (const [id] of position.at) {
        const node = this.nodes[id];
        if (this.shares(node, at, value).length > 0) continue;
        const known = node.illegal.find((it) => E.compare(it.from, value) <= 0 && E.compare(value, it.to) <= 0);
        return known && known.rows.length > 0
          ? `rows ${known.rows.join(", ")} cannot hold together after it`
          : "the rows of whoever makes it cannot hold together after it";
      }
      return null;
    }

    /** Plays from the beginning with these moves of the opponent, as far as they reach. */
    walk(given) {
      const position = { at: [[this.root, E.one]], values: new Map(), moves: [], refused: null };
      const step = (at, value, by, next) => {
        position.moves.push({ at, value, by });
        position.values.set(at, value);
        const merged = new Map();
        for (const [id, weight] of next) merged.set(id, E.add(merged.get(id) || E.zero, weight));
        position.at = [...merged];
      };
      for (;;) {
        const node = this.nodes[position.at[0][0]];
        if (node.kind === "end") return { ...position, end: node, awaits: null };
        if (node.kind === "choose") {
          let value = E.zero;
          for (const [id, weight] of position.at) value = E.add(value, E.times(weight, this.nodes[id].value));
          step(node.at, value, this.owner, position.at.map(([id, weight]) => [this.nodes[id].next, weight]));
          continue;
        }
        const value = given.get(node.at);
        if (value === undefined) return { ...position, end: null, awaits: node.at };
        const refused = this.refusal(position, node.at, value);
        if (refused) return { ...position, end: null, awaits: node.at, refused: [value, refused] };
        const next = position.at.flatMap(([id, weight]) =>
          this.shares(this.nodes[id], node.at, value).map(([to, share]) => [to, E.times(share, weight)]));
        step(node.at, value, other(this.owner), next);
      }
    }

    /** What is guaranteed from a position, as a value of the objective: the smaller of what was
     *  promised at the beginning and what the rest of the stored plan can cost. */
    guaranteed(position) {
      if (data.sense === null) return null;
      if (this.ahead === null) return this.bound;
      const sign = data.sense === "maximize" ? E.negate : (it) => it;
      let rest = E.zero;
      for (const [id, weight] of position.at) {
        const ahead = this.ahead[id];
        if (ahead === -1) return -1;
        if (ahead === null) return this.bound;
        rest = E.add(rest, E.times(weight, ahead));
      }
      const found = E.add(running(position.values), sign(rest));
      if (this.bound === null) return found;
      return E.compare(sign(found), sign(this.bound)) < 0 ? found : this.bound;
    }

    /** Moves that are offered: all of a small domain, ends and branch ends of a large one. */
    offered(position, at, most) {
      const variable = variables[at];
      const { lower, upper } = variable;
      if (variable.kind === "integer" && lower && upper
        && E.compare(E.subtract(upper, lower), [BigInt(most - 1), 1n]) <= 0) {
        const first = -((-lower[0]) / lower[1]);
        const values = [];
        for (let value = [first, 1n]; E.compare(value, upper) <= 0; value = E.add(value, E.one)) {
          if (E.compare(value, lower) >= 0) values.push(value);
        }
        return { values, isAll: true };
      }
      const ends = new Map();
      for (const [id] of position.at) {
        for (const { from, to } of this.nodes[id].branches) {
          for (const value of [from, to]) if (ends.size < most) ends.set(E.write(value), value);
        }
      }
      for (const value of [lower, upper]) if (value) ends.set(E.write(value), value);
      return { values: [...ends.values()].sort(E.compare), isAll: false };
    }

    /** The legal move among those offered after which least is guaranteed. */
    worstMove(position, given, most) {
      const sign = data.sense === "maximize" ? E.negate : (it) => it;
      let worst = null;
      for (const value of this.offered(position, position.awaits, most).values) {
        if (this.refusal(position, position.awaits, value)) continue;
        const after = this.walk(new Map(given).set(position.awaits, value));
        const left = this.guaranteed(after);
        const cost = left === null || left === -1 ? null : sign(left);
        if (worst === null || (cost && (!worst.cost || E.compare(cost, worst.cost) > 0))) worst = { value, cost };
      }
      return worst && worst.value;
    }
  }

  const domain = (variable) => {
    const end = (it, none) => (it ? E.write(it) : none);
    const inside = `in [${end(variable.lower, "-inf")}, ${end(variable.upper, "inf")}]`;
    return variable.kind === "integer" ? `a whole number ${inside}` : inside;
  };

  return { variables, systems, other, range, running, domain, Plan };
};
