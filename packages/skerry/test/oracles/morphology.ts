// Morphology by definition: every pixel against every other, in an endless plane or with the border's pixels repeated.

export interface Bits {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

export interface Ball {
  readonly radius: number;
  readonly metric: "euclidean" | "cityblock" | "chessboard";
  readonly spacing: readonly [number, number, number];
  readonly border: "background" | "extend";
}

/** Steps from the middle to all pixels of a ball. */
function stepsOf({ radius, metric, spacing }: Ball, depth: number): [number, number, number][] {
  const [x, y, z] = spacing.map((side) => Math.floor(radius / side + 1e-9)) as [number, number, number];
  const found: [number, number, number][] = [];
  for (let dz = depth > 1 ? -z : 0; dz <= (depth > 1 ? z : 0); dz++)
    for (let dy = -y; dy <= y; dy++)
      for (let dx = -x; dx <= x; dx++) {
        const sides = [dx * spacing[0], dy * spacing[1], dz * spacing[2]].map(Math.abs);
        const far =
          metric === "euclidean"
            ? Math.hypot(...sides)
            : metric === "cityblock"
              ? sides.reduce((a, b) => a + b)
              : Math.max(...sides);
        if (far <= radius + 1e-9) found.push([dx, dy, dz]);
      }
  return found;
}

/** A picture of which every place may be looked at. */
type Look = (x: number, y: number, z: number) => boolean;

function remembered(look: Look): Look {
  const known = new Map<string, boolean>();
  return (x, y, z) => {
    const key = `${x} ${y} ${z}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = look(x, y, z);
    known.set(key, value);
    return value;
  };
}

export function apply(operation: "dilate" | "erode" | "open" | "close", bits: Bits, ball: Ball): Uint8Array {
  const { data, width, height, depth } = bits;
  const steps = stepsOf(ball, depth);
  const clamp = (n: number, side: number): number => Math.max(0, Math.min(side - 1, n));
  let look: Look = (x, y, z) => {
    const inside = x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth;
    if (!inside && ball.border === "background") return false;
    return data[(clamp(z, depth) * height + clamp(y, height)) * width + clamp(x, width)] !== 0;
  };
  const order = { dilate: "d", erode: "e", open: "ed", close: "de" }[operation];
  for (const step of order) {
    const before = look;
    look = remembered((x, y, z) =>
      step === "d"
        ? steps.some(([dx, dy, dz]) => before(x + dx, y + dy, z + dz))
        : steps.every(([dx, dy, dz]) => before(x + dx, y + dy, z + dz)),
    );
  }
  return Uint8Array.from({ length: width * height * depth }, (_, at) =>
    Number(look(at % width, Math.floor(at / width) % height, Math.floor(at / width / height))),
  );
}
