// More than a hundred small mistakes in kernels, made by hand: each is one that somebody could make, and one that some test must notice.
// A mutant is the text that is replaced (its first occurrence in the file), the text that takes its place, and the tests that are
// about it.

const cpu = (name, tests, mutants) =>
  mutants.map(([from, to]) => ({ file: `src/cpu/assembly/${name}.ts`, tests, from, to }));
const gpu = (name, tests, mutants) =>
  mutants.map(([from, to]) => ({ file: `src/gpu/wgsl/${name}.wgsl`, tests, from, to, gpu: true }));

const LABELS = ["edges", "components", "volumes", "filter", "engine"];

export const MUTANTS = [
  ...cpu("bits", LABELS, [
    ["if (both & t & (0 - t)) {", "if (t & (0 - t) & 0) {"],
    [
      "while (i + 4 <= words && allEqual(row + (<usize>i << 3), carry)) i += 4;\n      if",
      "while (i + 4 <= words && allEqual(row + (<usize>i << 3), 0)) i += 4;\n      if",
    ],
  ]),
  ...cpu(
    "mask-pack",
    ["input", "engine", "nodata", "history", "components"],
    [
      ["i8x16.splat(<i8>(hi - lo));", "i8x16.splat(<i8>(hi - lo - 1));"],
      [
        "(a | (b << 16) | (c << 32) | (d << 48)) ^ flip);\n    src += 128;",
        "(a | (c << 16) | (b << 32) | (d << 48)) ^ flip);\n    src += 128;",
      ],
      ["store<u64>(dst, (bits ^ flip) & ~odd & mask);", "store<u64>(dst, (bits ^ flip) & mask);"],
      ["      if (dst2) clearBits(dst2, excepted, words);\n", ""],
      ["i32x4.le_u(i32x4.sub(v128.load(src), low), span)", "i32x4.le_s(i32x4.sub(v128.load(src), low), span)"],
    ],
  ),
  ...cpu(
    "image-luma",
    ["input", "engine"],
    [
      [
        "return <T>((77 * <i32>r + 150 * <i32>g + 29 * <i32>b + 128) >> 8);",
        "return <T>((77 * <i32>r + 150 * <i32>g + 29 * <i32>b) >> 8);",
      ],
      ["const half = i16x8.splat(128);", "const half = i16x8.splat(127);"],
      ["return <T>(<i32>r | <i32>g | <i32>b);", "return <T>(<i32>r | <i32>g);"],
    ],
  ),
  ...cpu("components-union", LABELS, [
    ["if (widened) pairs |= (us & ~c & cLeft) | (cs & ~u & uLeft);", "if (widened) pairs |= us & ~c & cLeft;"],
    ["c == u && cCarry == uCarry)", "c == u)"],
    ["const right = (csa & ~ua & uaLeft) | (csb & ~ub & ubLeft);", "const right = csa & ~ua & uaLeft;"],
    [
      "store<u32>(parents + (<usize>max(x, y) << 2), min(x, y));",
      "store<u32>(parents + (<usize>min(x, y) << 2), max(x, y));",
    ],
    ["carries1 = (cb >> 63) | ((ub >> 63) << 1);", "carries1 = cb >> 63;"],
  ]),
  ...cpu(
    "components-neighbours",
    ["volumes", "values"],
    [
      ["(k == 2 ? y > 0 : y + 1 < height)", "(k == 2 ? y > 0 : y < height)"],
      ["k == 2 ? height + 1 : height - 1;", "k == 2 ? height - 1 : height + 1;"],
    ],
  ),
  ...cpu(
    "components-join-slices",
    ["edges", "volumes"],
    [
      ["pairs &= ~(u & d);", "pairs &= ~u;"],
      [
        "(pairs & ~u) | (bs & ~c & cLeft & ~u) | (cs & ~b & bLeft & ~uLeft);",
        "(pairs & ~u) | (bs & ~c & cLeft & ~uLeft) | (cs & ~b & bLeft & ~uLeft);",
      ],
      ["above &= ~(u | b);", "above &= ~u & ~b & ~d;"],
      [
        "uCarry = (load<u64>(u0 + (<usize>(i + 3) << 3)) & uMask) >> 63;",
        "uCarry = (load<u64>(u0 + (<usize>i << 3)) & uMask) >> 63;",
      ],
    ],
  ),
  ...cpu(
    "components-join-strips",
    ["edges", "regions", "components", "volumes"],
    [["if (p != i) store<u32>(at, load<u32>(map + (<usize>p << 2)));", "if (p != i) store<u32>(at, p);"]],
  ),
  ...cpu(
    "filter-choose",
    ["filter", "volumes"],
    [
      ["area >= minArea && area <= maxArea", "area > minArea && area <= maxArea"],
      ["if (area == low && ties > 0) ties--;", "if (area == low) ties--;"],
      ["else high = middle - 1;", "else high = middle;"],
      ["store<u8>(keep + load<u32>(joins + (<usize>i << 3)), load<u8>(keep + root));", ""],
    ],
  ),
  ...cpu("labels-expand", LABELS, [
    ["starts &= below(x & 63) | ((<u64>1) << (<u64>(x & 63)));", "starts &= below(x & 63);"],
  ]),
  ...cpu(
    "runs",
    ["engine", "volumes", "components"],
    [["store<u32>(at, load<u32>(at) + 1);", "store<u32>(at, load<u32>(at) + 2);"]],
  ),
  ...cpu(
    "filter-classes",
    ["components", "engine", "filter"],
    [["store<u64>(at, min(load<u64>(at), pixel));", "store<u64>(at, pixel);"]],
  ),
  ...cpu(
    "regions-2d",
    ["edges", "regions"],
    [
      [
        "const sumX = ((<u64>begin + <u64>end - 1) * length) >> 1;",
        "const sumX = ((<u64>begin + <u64>end) * length) >> 1;",
      ],
      [
        "countBetween(plane + rankedBytes(words), words, begin, end + 1)",
        "countBetween(plane + rankedBytes(words), words, begin, end)",
      ],
      ["(row2 == 0 || rowsEqual(row2, row2 + at, words))", "true"],
    ],
  ),
  ...cpu(
    "regions-3d",
    ["volumes"],
    [
      ["const slice = i32x4(z, ~(z + 1), -1, -1);", "const slice = i32x4(z, ~z, -1, -1);"],
      ["z > 0 && y + 1 < height ? c - slice + stride : 0", "z > 0 && y + 1 < height ? c - slice : 0"],
    ],
  ),
  ...cpu(
    "regions-outline",
    ["volumes", "regions"],
    [
      ["sum += popcnt(pixels & ~b & e);", ""],
      [
        "const pairs = w == begin >> 6 ? pixels & ~((<u64>1) << (<u64>(begin & 63))) : pixels;",
        "const pairs = pixels;",
      ],
    ],
  ),
  ...cpu(
    "regions-intensity",
    ["regions", "nodata", "volumes"],
    [
      ["store<S>(record, load<S>(record, 40) + sum * <S>y, 40);", "store<S>(record, load<S>(record, 40) + sum, 40);"],
      ["if (end < width && !isForeground(bits, bits2, at, end))", "if (end < width)"],
      ["store<u64>(record, load<u64>(record, 72) + count, 72);", ""],
    ],
  ),
  ...cpu(
    "histogram",
    ["histogram", "engine", "input", "history", "nodata"],
    [
      ["if (!(abs<f64>(v) < Infinity) || v == except) continue;", "if (v == except) continue;"],
      ["while (bin < bins - 1 && v >= load<f64>(edges + (<usize>(bin + 1) << 3))) bin++;", ""],
    ],
  ),
  ...cpu(
    "components-linked",
    ["edges", "values"],
    [
      ["parity ^= parity << 32;\n", ""],
      [
        "if (background) c &= ~linkedWord(equal, 0, p, background, count);",
        "if (background) c &= ~linkedWord(match, tolerance, p, background, count);",
      ],
      ["if (signed) return i16x8.sub(i16x8.max_s(v, w), i16x8.min_s(v, w));", ""],
    ],
  ),
  ...cpu(
    "fill-match",
    ["edges", "fill", "values"],
    [["const d = v == other ? 0 : v - other;", "const d = v - other;"]],
  ),
  ...cpu(
    "fill-search",
    ["fill"],
    [
      ["mask &= mask >> step;", "mask &= mask << step;"],
      [
        "if (bits >> 63 && w + 1 < words && !(load<u64>(at, 8) & 1)) {",
        "if (bits >> 63 && w + 2 < words && !(load<u64>(at, 8) & 1)) {",
      ],
    ],
  ),
  ...cpu("wand", ["fill"], [["most = max(most, <u32>abs(d));", "most = <u32>abs(d);"]]),
  ...cpu(
    "distance-rows",
    ["distance", "history"],
    [
      ["const site = x - last <= after - x ? last : after;", "const site = x - last < after - x ? last : after;"],
      ["if (byte) last = <i32>x + 31 - clz(byte);", "if (byte) last = <i32>x + <i32>ctz(byte);"],
    ],
  ),
  ...cpu(
    "distance-columns",
    ["distance", "history"],
    [
      ["const high = min(load<i32>(range, 12), sites - 1);", "const high = min(load<i32>(range, 12), sites - 2);"],
      ["const a = max(low, p + 1 - reach);", "const a = max(low, p + 2 - reach);"],
    ],
  ),
  ...cpu(
    "distance-values",
    ["edges", "distance"],
    [
      ["const to = min(from + 8, side - 1);", "const to = from + 8;"],
      ["store<f32>(to, minus ? -value : value);", "store<f32>(to, value);"],
    ],
  ),
  ...cpu("mask-surface", ["volumes", "distance", "components"], [["before = c >> 63;", "before = c & 1;"]]),
  ...cpu(
    "kmeans-assign",
    ["kmeans"],
    [
      [
        "const cornerZ = v128.bitselect(hiZ, loZ, i16x8.gt_s(z, mZ));",
        "const cornerZ = v128.bitselect(hiZ, loZ, i16x8.lt_s(z, mZ));",
      ],
      [
        "class1 = v128.bitselect(number, class1, i32x4.lt_s(cost1, best1));",
        "class1 = v128.bitselect(number, class1, i32x4.le_s(cost1, best1));",
      ],
    ],
  ),
  ...cpu(
    "kmeans-centres",
    ["kmeans"],
    [
      ["return <u16>((2 * sum + weight) / (2 * weight));", "return <u16>(sum / weight);"],
      ["2 * sum < total;", "2 * sum <= total;"],
    ],
  ),
  ...cpu(
    "kmeans-init",
    ["kmeans"],
    [["z = (z ^ (z >> 27)) * 0x94d049bb133111eb;", "z = (z ^ (z >> 28)) * 0x94d049bb133111eb;"]],
  ),
  ...cpu(
    "kmeans-assess",
    ["kmeans"],
    [["if (j == own) a = cost;\n      else b = min(b, cost);", "if (j == own) a = cost;\n      b = min(b, cost);"]],
  ),
  ...cpu("kmeans-colours", ["kmeans"], [["store<u8>(touched + cell, any);", "store<u8>(touched + cell, 0);"]]),

  ...cpu(
    "regions-contour",
    ["shapes"],
    [
      ["straight += popcnt(c & o1 & ~d2 & ~(d1 & d0));", "straight += popcnt(c & o1 & ~d2);"],
      ["| (o0 & ~o1 & d1 & d0)));", "));"],
      ["mixed += popcnt(c & o0 & ~o1 & (d0 ^ d1));", "mixed += popcnt(c & o0 & ~o1 & d0);"],
      ["popcnt(c & ~rightOf(above + at));", "popcnt(c & ~leftOf(above + at));"],
      ["    for (let i = max(next, load<u32>(begin", "    for (let i = (load<u32>(begin"],
      ["      clearRuns(ownBorder, begin, end, from3, from2);\n", ""],
    ],
  ),
  ...cpu(
    "regions-hull",
    ["shapes"],
    [
      ["if (y > y0) least = min(least, centre - fall);", ""],
      ["return whole * b < a ? whole + 1 : whole;", "return whole;"],
      [
        "if ((x1 - x0) * <i64>(y - y0) < (x - x0) * <i64>(y1 - y0)) break;",
        "if ((x1 - x0) * <i64>(y - y0) <= (x - x0) * <i64>(y1 - y0)) break;",
      ],
      [
        "if (i == 0 || load<i32>(corner - 4) < x) at = putCorner(at, x + 1, y);",
        "if (i == 0) at = putCorner(at, x + 1, y);",
      ],
    ],
  ),
  ...cpu(
    "regions-hull-sizes",
    ["shapes"],
    [
      ["most = keepLonger(x, y + awayY, most, record);\n", ""],
      ["+ <f64>hull.y0 * scaleY, 8);", ", 8);"],
    ],
  ),
  ...cpu(
    "hull-3d",
    ["shapes"],
    [
      ["const p = isAbove ? c : b, q = isAbove ? b : c;", "const p = b, q = c;"],
      ["else if (other.b == to) other.acrossBC = at;", "else if (other.b == to) other.acrossCA = at;"],
    ],
  ),
  ...cpu(
    "regions-hull-3d",
    ["shapes"],
    [
      ["(whole * 2 * sign * face.nx < rest ? whole + 1 : whole)", "whole"],
      ["    if (!putChain(hull, slice, slice.right, -1, z, room)) return false;\n", ""],
    ],
  ),
  ...cpu(
    "regions-values",
    ["shapes"],
    [
      ["return bits >> 31 ? ~bits : bits | 0x80000000;", "return bits | 0x80000000;"],
      ["rest >= 0.5 ? high - apart * (1 - rest) : low + apart * rest", "low"],
      ["const lowest: f64 = call.type == I16 ? -32768 : 0;", "const lowest: f64 = 0;"],
      ["if (!(v > -Infinity && v < Infinity)) continue;\n", ""],
    ],
  ),
  ...cpu(
    "outlines",
    ["outlines"],
    [
      [
        "    if (load<u32>(row + at) == load<u32>(row + before) && load<u32>(begin + at) == load<u32>(end + before)) {",
        "    if (false) {",
      ],
    ],
  ),
  ...gpu(
    "components-label-tiles",
    ["components", "gpu"],
    [
      [
        "pairs |= (startsOver & ~top & (top << 1u)) | (starts & ~over & (over << 1u));",
        "pairs |= startsOver & ~top & (top << 1u);",
      ],
      ["extra |= pairs & (0u - pairs);", "extra |= 0u;"],
      [
        "if ((over & leftTop & 1u) == 1u && (top & 1u) == 0u && overLeft == 0u) {",
        "if ((over & leftTop & 1u) == 1u && (top & 1u) == 0u && overLeft == 1u) {",
      ],
      ["atomicMin(&firsts[base + component(slot + k)], firstPixel(index, top, bottom, ones));", ""],
    ],
  ),
  ...gpu(
    "components-join-tiles",
    ["edges", "components", "gpu"],
    [
      ["if (ranksU == 0u) {", "if (ranksU == 9u) {"],
      [
        "if ((top & overLeft) == 1u && over == 0u && leftTop == 0u) {",
        "if ((top & overLeft) == 1u && over == 1u && leftTop == 0u) {",
      ],
      ["return CELL == 2u || parameters.wide == 1u;", "return CELL == 2u;"],
    ],
  ),
  ...gpu(
    "components-join-slices",
    ["edges", "volumes"],
    [
      ["pairs &= ~(u.x & d.x);", "pairs &= ~u.x;"],
      ["let hasBelow = y + 1u < parameters.slice;", "let hasBelow = y + 2u < parameters.slice;"],
      ["below &= ~b.x;", "below &= ~(b.x | u.x);"],
      ["fromLeft(bottom, e) | fromLeft(e, bottom)", "fromLeft(bottom, e)"],
    ],
  ),
  ...gpu(
    "lib/ranks",
    ["components", "gpu"],
    [["for (var j = word & ~7u; j < word; j++)", "for (var j = word & ~3u; j < word; j++)"]],
  ),
  ...gpu(
    "labels-expand",
    ["edges", "components", "engine"],
    [
      ["if (SECOND) { result = max(result, labels[thread]); }", ""],
      [
        "var k = countOneBits(starts & ((2u << (x & 31u)) - 1u));",
        "var k = countOneBits(starts & ((1u << (x & 31u)) - 1u));",
      ],
    ],
  ),
  ...gpu(
    "mask-pack",
    ["input", "nodata", "gpu"],
    [
      ["if (parameters.excepting == 1u && v == parameters.except) { nan |= 1u << i; }", ""],
      ["return select(v, v ^ 0x8000u, TYPE == 2u);", "return v;"],
    ],
  ),
  ...gpu(
    "mask-pack-bytes",
    ["input", "gpu", "engine"],
    [
      [
        "let both = halves[2u * t] | (halves[2u * t + 1u] << vec2u(16u));",
        "let both = halves[2u * t] | (halves[2u * t + 1u] << vec2u(15u));",
      ],
    ],
  ),
  ...gpu(
    "image-luma",
    ["input", "gpu"],
    [
      [
        "return u32((77 * signed(r) + 150 * signed(g) + 29 * signed(b) + 128) >> 8u);",
        "return u32((77 * signed(r) + 150 * signed(g) + 29 * signed(b) + 127) >> 8u);",
      ],
    ],
  ),
  ...gpu(
    "regions-2d",
    ["regions"],
    [
      ["sums.y += (upper + lower) * y + lower;", "sums.y += (upper + lower) * y;"],
      [
        "sums.x1 = max(s.x1, x + 32u - countLeadingZeros(top | bottom));",
        "sums.x1 = max(s.x1, x + 31u - countLeadingZeros(top | bottom));",
      ],
    ],
  ),
  ...gpu(
    "regions-shape",
    ["regions"],
    [
      ["s.xy += sumX * line;", "s.xy += sumX;"],
      ["let behindWord = CELL == 2u && (afterAbove & ~(u >> 31u) & ~after & 1u) == 1u;", "let behindWord = false;"],
    ],
  ),
  ...gpu("regions-3d", ["volumes"], [["sums.z1 = max(s.z1, z + 1u);", "sums.z1 = max(s.z1, z);"]]),
  ...gpu(
    "regions-intensity",
    ["regions"],
    [
      ["addTo(at + 8u, scale(s.sum, y), far);", "addTo(at + 8u, scale(s.sum, x), far);"],
      ["if (end == 32u) { outside = open(at + 1u); }", ""],
    ],
  ),
  ...gpu(
    "histogram",
    ["histogram", "engine", "input", "nodata"],
    [["if (key >= edges[middle]) { low = middle; }", "if (key > edges[middle]) { low = middle; }"]],
  ),
  ...gpu(
    "filter-select",
    ["filter"],
    [["if ((c & ones) == 0u) { continue; }", "if ((c & ones) != 0u && k == 15u) { continue; }"]],
  ),
  ...gpu(
    "mask-surface",
    ["volumes", "components"],
    [["if (z + 1u < parameters.depth) { all &= either(at + slice); } else { all &= outside; }", ""]],
  ),
  ...gpu(
    "fill-match",
    ["edges", "fill"],
    [
      ["high += select(0u, 1u, low < squares[c]);", ""],
      ["if (parameters.fenced == 1u && !FLOATING) { result &= fence[at]; }", ""],
    ],
  ),
  ...gpu("fill-link-join", ["fill"], [["unite(p, p - rowPixels + 1u);", "unite(p, p - rowPixels - 1u);"]]),
  ...gpu(
    "runs-count",
    ["fill", "gpu"],
    [["countOneBits(runStarts(word, at, index % parameters.words))", "countOneBits(word & ~(word << 1u))"]],
  ),
  ...gpu(
    "distance-rows",
    ["distance"],
    [
      [
        "let side = select(0u, 0x8000u, SIDES && right < lefts[j]);",
        "let side = select(0u, 0x8000u, SIDES && right <= lefts[j]);",
      ],
      ["right = (i - 1u) * 32u + countTrailingZeros(word) + 1u;", "right = (i - 1u) * 32u + countTrailingZeros(word);"],
    ],
  ),
  ...gpu(
    "distance-columns",
    ["distance"],
    [["let beyond = cheapest > parameters.limit;", "let beyond = cheapest >= parameters.limit;"]],
  ),
  ...gpu(
    "kmeans-assign",
    ["kmeans"],
    [["if (found < best || (found == best && centre.w < class_)) {", "if (found < best) {"]],
  ),
  ...gpu("kmeans-centres", ["kmeans"], [["return (quotient + 1u) >> 1u;", "return quotient >> 1u;"]]),
  ...gpu("kmeans-colours-count", ["kmeans"], [["times = otherTimes;", "times = 0u;"]]),
];
