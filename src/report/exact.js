// Rational numbers as pairs of big integers, the denominator positive and both without a common
// factor. Nothing here rounds, but `approximate`, which is for pictures and decimals only.
const Exact = (() => {
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
  const make = (n, d) => {
    if (d < 0n) [n, d] = [-n, -d];
    const g = gcd(n, d) || 1n;
    return [n / g, d / g];
  };
  const zero = [0n, 1n];
  const one = [1n, 1n];
  /** Reads `3`, `-7/3`, `0.25`; null for anything else. */
  const read = (text) => {
    const found = /^\s*([+-]?)(\d{1,400})(?:\.(\d{1,400})|\/(\d{1,400}))?\s*$/.exec(text);
    if (!found) return null;
    const [, sign, whole, decimals, below] = found;
    if (below !== undefined && /^0+$/.test(below)) return null;
    const d = below !== undefined ? BigInt(below) : 10n ** BigInt((decimals || "").length);
    const n = BigInt(whole + (decimals || ""));
    return make(sign === "-" ? -n : n, d);
  };
  const add = (a, b) => make(a[0] * b[1] + b[0] * a[1], a[1] * b[1]);
  const negate = (a) => [-a[0], a[1]];
  const subtract = (a, b) => add(a, negate(b));
  const times = (a, b) => make(a[0] * b[0], a[1] * b[1]);
  const over = (a, b) => make(a[0] * b[1], a[1] * b[0]);
  const compare = (a, b) => {
    const apart = a[0] * b[1] - b[0] * a[1];
    return apart < 0n ? -1 : apart > 0n ? 1 : 0;
  };
  const isWhole = (a) => a[1] === 1n;
  const write = (a) => (isWhole(a) ? `${a[0]}` : `${a[0]}/${a[1]}`);
  const approximate = (a) => {
    const digits = 10n ** 15n;
    const whole = a[0] / a[1];
    return Number(whole) + Number(((a[0] - whole * a[1]) * digits) / a[1]) / 1e15;
  };
  /** The exact number, a decimal beside it where that helps. */
  const tell = (a) => {
    if (isWhole(a)) return write(a);
    const near = String(Number(approximate(a).toPrecision(6)));
    return write(a).length > 18 ? `≈ ${near}` : `${write(a)} (≈ ${near})`;
  };
  return { zero, one, read, add, negate, subtract, times, over, compare, isWhole, write, approximate, tell };
})();
