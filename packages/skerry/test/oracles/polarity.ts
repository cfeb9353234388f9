// The polarity that a picture suggests, straight from the definition: each sample beside the mean of the box around it. It shares no
// code with the library. O(samples x box).

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly channels: number;
  readonly type: string;
  readonly data: ArrayLike<number>;
  readonly nodata: number | undefined;
  /** Words of the mask, row by row. */
  readonly bits: ArrayLike<number> | undefined;
}

/** Places along an axis: at most `most`, evenly spaced, the same distance from both ends where that is possible. */
function places(length: number, most: number): number[] {
  let step = 1;
  while (Math.ceil(length / step) > most) step++;
  const found = [];
  for (let at = Math.floor((step - 1) / 2); at < length; at += step) found.push(at);
  return found;
}

function luma({ channels, type, data }: Picture, pixel: number): number {
  if (channels === 1) return data[pixel];
  const [r, g, b] = [0, 1, 2].map((c) => data[pixel * channels + c]);
  if (type !== "f32") return Math.floor((77 * r + 150 * g + 29 * b + 128) / 256);
  const f = Math.fround;
  return f(f(f(f(77 * r) + f(150 * g)) + f(29 * b)) / 256);
}

/** `threshold` is that of all pixels, where there is one. */
export function polarity(picture: Picture, threshold?: number): "bright" | "dark" {
  const { width, height, depth, type, nodata, bits } = picture;
  const most = depth > 1 ? 40 : 256;
  const axes = [width, height, depth].map((length) => places(length, most));
  const reach = axes.map(({ length }) => (length === 1 ? 0 : Math.max(1, Math.round(length / 8))));
  const samples = axes[2].map((z) =>
    axes[1].map((y) =>
      axes[0].map((x) => {
        const row = z * height + y;
        const value = luma(picture, row * width + x);
        const isOut =
          bits !== undefined && Math.floor(bits[row * Math.ceil(width / 32) + (x >> 5)] / 2 ** (x % 32)) % 2 === 0;
        return isOut || !Number.isFinite(value) || value === nodata ? undefined : value;
      }),
    ),
  );
  const all = samples.flat(2).filter((value) => value !== undefined);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  // Floats count in 65 535 steps, so that a flat part is as high as its mean.
  const whole = (value: number): number =>
    type !== "f32" ? value : high === low ? 0 : Math.round(((value - low) / (high - low)) * 65535);
  const clamped = (list: readonly unknown[], i: number): number => Math.max(0, Math.min(list.length - 1, i));
  let balance = 0;
  samples.forEach((slice, k) => {
    slice.forEach((row, j) => {
      row.forEach((value, i) => {
        if (value === undefined) return;
        let [sum, count] = [0, 0];
        for (let dz = -reach[2]; dz <= reach[2]; dz++) {
          const near = samples[clamped(samples, k + dz)];
          for (let dy = -reach[1]; dy <= reach[1]; dy++) {
            const line = near[clamped(near, j + dy)];
            for (let dx = -reach[0]; dx <= reach[0]; dx++) {
              const other = line[clamped(line, i + dx)];
              if (other === undefined) continue;
              sum += whole(other);
              count++;
            }
          }
        }
        balance += Math.sign(whole(value) * count - sum);
      });
    });
  });
  const dark = balance > 0;
  if (threshold === undefined) return dark ? "dark" : "bright";
  // The side that has nearly the whole frame and most of the picture is the ground.
  const [margin, tall] = [axes[0], axes[1]].map((axis) => Math.max(1, Math.round(axis.length / 32)));
  const isOuter = (i: number, length: number, width: number): boolean =>
    length > 1 && (i < width || i >= length - width);
  let [frame, own, every, mine] = [0, 0, 0, 0];
  samples.forEach((slice) => {
    slice.forEach((row, j) => {
      row.forEach((value, i) => {
        if (value === undefined) return;
        const isObject = dark ? value <= threshold : value > threshold;
        every++;
        if (isObject) mine++;
        const isOnly = row.length * slice.length === 1;
        if (!isOnly && !isOuter(i, row.length, margin) && !isOuter(j, slice.length, tall)) return;
        frame++;
        if (isObject) own++;
      });
    });
  });
  const isGround = frame > 0 && own >= 0.9 * frame && mine >= 0.8 * every;
  return dark !== isGround ? "dark" : "bright";
}
