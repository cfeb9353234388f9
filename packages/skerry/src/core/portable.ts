// Functions that JavaScript engines may round differently, built from additions, multiplications, divisions and square
// roots. IEEE 754 rounds these in one way, so all browsers give the same last bit.

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** The cube root of x >= 0: a third of the exponent, then Halley's method, which triples the digits of each step. */
export function cubeRoot(x: number): number {
  if (x === 0) return 0;
  number[0] = x;
  words[HIGH] = Math.floor(words[HIGH] / 3) + 0x2a9f7893;
  words[1 - HIGH] = 0;
  let root = number[0];
  for (let i = 0; i < 3; i++) {
    const cube = root * root * root;
    root = (root * (cube + x + x)) / (cube + cube + x);
  }
  return root;
}

/** sqrt(x^2 + y^2), for values whose squares are finite. */
export function hypotenuse(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** atan(k / 8). */
const EIGHTHS = [
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061, 0.5585993153435624,
  0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
];

/** The arc tangent of 0 <= x <= 1: that of the nearest eighth, plus the series of the remainder, which is at most 1 / 16. */
function arcTangent(x: number): number {
  const k = Math.round(8 * x);
  const rest = (x - k / 8) / (1 + (x * k) / 8);
  const z = rest * rest;
  // 1/1 - z/3 + z^2/5 - ... of nine terms: the next is below 2^-76.
  let sum = 0;
  for (let n = 17; n >= 1; n -= 2) sum = 1 / n - z * sum;
  return EIGHTHS[k] + rest * sum;
}

/** The angle of (x, y) from the x axis, -pi to pi, like Math.atan2, to within two units in the last place. */
export function angleOf(y: number, x: number): number {
  const [a, b] = [Math.abs(x), Math.abs(y)];
  if (a === 0 && b === 0) return 0;
  const acute = b <= a ? arcTangent(b / a) : Math.PI / 2 - arcTangent(a / b);
  const above = x < 0 ? Math.PI - acute : acute;
  return y < 0 ? -above : above;
}
