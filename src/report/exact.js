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
  // As `src/ground/num/digits.rs` writes numbers: a decimal first, marked where it is rounded.
  const size = (n) => (n < 0n ? -n : n);
  const power = (places) => (places < 0 ? [1n, 10n ** BigInt(-places)] : [10n ** BigInt(places), 1n]);
  const nearest = (a) => (2n * size(a[0]) + a[1]) / (2n * a[1]);
  const magnitude = (a) => {
    if (a[0] === 0n) return 0;
    const guess = `${size(a[0])}`.length - `${a[1]}`.length;
    return guess - (compare([size(a[0]), a[1]], power(guess)) < 0 ? 1 : 0);
  };
  const pointed = (digits, whole) => {
    const decimals = digits.slice(whole).replace(/0+$/, "");
    return digits.slice(0, whole) + (decimals === "" ? "" : `.${decimals}`);
  };
  const fixed = (a, places) => {
    const digits = `${nearest(times(a, power(places)))}`.padStart(places + 1, "0");
    return (a[0] < 0n ? "-" : "") + pointed(digits, digits.length - places);
  };
  const scientific = (a, count) => {
    const at = magnitude(a);
    const digits = `${nearest(times(a, power(count - 1 - at)))}`;
    return `${a[0] < 0n ? "-" : ""}${pointed(digits, 1)}e${at + digits.length - count}`;
  };
  const plain = (a) => {
    if (isWhole(a)) return write(a).length <= 20 ? write(a) : null;
    for (let places = 1; places <= 12; places++) {
      const scaled = times(a, power(places));
      if (isWhole(scaled)) return `${size(scaled[0])}`.length <= 12 ? fixed(a, places) : null;
    }
    return null;
  };
  let exactly = false;
  /** From now on all digits are written. */
  const beExact = () => { exactly = true; };
  /** A decimal, marked where it is rounded. */
  const brief = (a) => {
    if (exactly) return write(a);
    const at = magnitude(a);
    if (plain(a) !== null) return plain(a);
    if (at >= -5 && at < 15) return `≈${fixed(a, Math.max(6 - at, 2))}`;
    return `${isWhole(times(a, power(6 - at))) ? "" : "≈"}${scientific(a, 7)}`;
  };
  /** The same, the fraction behind it where that is short. */
  const tell = (a) => {
    const text = brief(a);
    const isShort = text.startsWith("≈") && !isWhole(a) && write(a).length <= 9;
    return isShort ? `${text} (${write(a)})` : text;
  };
  /** `x = 2.5`, `x ≈ 2.333333 (7/3)`. */
  const equation = (name, a) => {
    const text = tell(a);
    return text.startsWith("≈") ? `${name} ≈ ${text.slice(1)}` : `${name} = ${text}`;
  };
  return {
    zero, one, read, add, negate, subtract, times, over, compare, isWhole, write, approximate, beExact, brief, tell, equation,
  };
})();
