// Outlines of objects: closed polygons on pixel corners, traced from runs that are grouped by label.
//
// A stretch is a vertical side of runs that continues over consecutive rows. A horizontal piece joins the corners of two
// stretches on a line between two rows. A line is a border wherever exactly one of the rows above and below it is covered,
// so its corners come in pairs, from left to right:
//
//     ##      row 0, [0, 2)     line 1: the side at 0 goes on; 2 ends and 3 begins: a piece from 2 to 3
//     ###     row 1, [0, 3)

import { TRACE_HEAD_BYTES } from "./layout/outlines";

/** Flags of a stretch: right side of a run (the object lies to the left of it); already visited. */
const RIGHT: u8 = 1;
const SEEN: u8 = 2;

const NONE: u32 = 0xffffffff;

/** Arguments of {@link traceOutlines}. */
// @ts-ignore: decorator
@unmanaged
export class TraceOutlinesCall {
  /** Four u32 arrays of runs grouped by label: row, begin, end, label. [0 .. count * RUN_BYTES] */
  table: usize;
  /** Runs of the table. */
  count: u32;
  /** u32 per object and one more: its first run. [0 .. (objects + 1) * 4] */
  offsets: usize;
  /** Objects. */
  objects: u32;
  /** u32: labels to trace. [0 .. labels * 4] */
  chosen: usize;
  /** Number of these labels. */
  labels: u32;
  /** Runs of these labels. */
  runs: u32;
  /** Whether runs that touch by a corner alone lie in one ring. */
  eight: bool;
  /** Scratch. [0 .. runs * TRACE_RUN_BYTES + TRACE_HEAD_BYTES] */
  scratch: usize;
  /** x and y of the corners of all rings in turn, i32. [0 .. runs * OUTLINE_RUN_BYTES] */
  points: usize;
  /** Four u32 per ring: the end of its corners, in numbers, its label, whether it is a hole, the ring around it (its own where it is none). [0 .. runs * RING_BYTES] */
  rings: usize;
}

/** Vertical stretches of an object; corner 2 s is the upper one of stretch s. */
// @ts-ignore: decorator
@unmanaged
class Stretches {
  count: u32;
  /** Column of each. */
  x: usize;
  /** Line of each corner. */
  y: usize;
  /** The corner at the other end of each corner's horizontal piece. */
  link: usize;
  flags: usize;
  /** The ring of each. */
  ring: usize;
  /** Run at which each stretch begins; used for right sides. */
  run: usize;
  /** Stretches of the left and right sides of the object's runs. */
  ofLeft: usize;
  ofRight: usize;
  /** First stretches of holes. */
  holes: usize;
}

/** Traces the rings of the chosen objects, the outer rings of each before its holes. Returns the number of rings. */
export function traceOutlines(call: TraceOutlinesCall): u32 {
  const runs = <usize>call.runs;
  const own = changetype<Stretches>(call.scratch);
  let at = call.scratch + TRACE_HEAD_BYTES;
  own.x = at;
  own.y = at += runs << 3;
  own.link = at += runs << 4;
  own.ofLeft = at += runs << 4;
  own.ofRight = at += runs << 2;
  own.holes = at += runs << 2;
  own.ring = at += runs << 2;
  own.run = at += runs << 3;
  own.flags = at += runs << 3;
  const row = call.table;
  let length: u32 = 0;
  let rings: u32 = 0;
  for (let i: u32 = 0; i < call.labels; i++) {
    const label = load<u32>(call.chosen + (<usize>i << 2));
    const from = load<u32>(call.offsets + (<usize>(label - 1) << 2));
    const to = mergeRuns(call, from, load<u32>(call.offsets + (<usize>label << 2)));
    own.count = 0;
    let above = from;
    for (let first = from; first < to; ) {
      const y = load<u32>(row + (<usize>first << 2));
      let last = first + 1;
      while (last < to && load<u32>(row + (<usize>last << 2)) == y) last++;
      const before = load<u32>(row + (<usize>above << 2));
      if (above < first && before + 1 < y) {
        traceLine(call, own, from, above, first, first, before + 1);
        above = first;
      }
      traceLine(call, own, from, above, first, last, y);
      above = first;
      first = last;
    }
    if (to > from) traceLine(call, own, from, above, to, to, load<u32>(row + (<usize>(to - 1) << 2)) + 1);
    // Stretches are in the order of their upper ends, so the first of a ring is at its upper left corner.
    let holes: u32 = 0;
    for (let first: u32 = 0; first < own.count; first++) {
      const flags = load<u8>(own.flags + first);
      if (flags & SEEN) continue;
      if (flags & RIGHT) {
        store<u32>(own.holes + (<usize>holes << 2), first);
        holes++;
        see(own, first);
        continue;
      }
      length = takeRing(own, first, rings, call.points, length);
      endRing(call.rings, rings, length, label, 0, rings);
      rings++;
    }
    for (let hole: u32 = 0; hole < holes; hole++) {
      const first = load<u32>(own.holes + (<usize>hole << 2));
      // The run that ends where the hole begins has its left side on the ring around both, or on a hole further left, whose
      // first stretch comes earlier.
      const left = load<u32>(own.ofLeft + (<usize>load<u32>(own.run + (<usize>first << 2)) << 2));
      const beside = load<u32>(own.ring + (<usize>left << 2));
      const around = load<u32>(call.rings + (<usize>beside << 4), 12);
      length = takeRing(own, first, rings, call.points, length);
      endRing(call.rings, rings++, length, label, 1, around);
    }
  }
  return rings;
}

/**
 * Merges, in place, runs of an object that touch within a row: there is no border between them. Runs of objects by
 * tolerance may touch. Returns the new end of the object's runs.
 */
function mergeRuns(call: TraceOutlinesCall, from: u32, to: u32): u32 {
  const pitch = <usize>call.count << 2;
  const row = call.table, begin = row + pitch, end = begin + pitch;
  let last = from;
  for (let run = from + 1; run < to; run++) {
    const at = <usize>run << 2, before = <usize>last << 2;
    if (load<u32>(row + at) == load<u32>(row + before) && load<u32>(begin + at) == load<u32>(end + before)) {
      store<u32>(end + before, load<u32>(end + at));
      continue;
    }
    last++;
    const place = <usize>last << 2;
    store<u32>(row + place, load<u32>(row + at));
    store<u32>(begin + place, load<u32>(begin + at));
    store<u32>(end + place, load<u32>(end + at));
  }
  return min(to, last + 1);
}

// @ts-ignore: decorator
@inline
function endRing(rings: usize, ring: u32, length: u32, label: u32, hole: u32, around: u32): void {
  const at = rings + (<usize>ring << 4);
  store<u32>(at, length);
  store<u32>(at, label, 4);
  store<u32>(at, hole, 8);
  store<u32>(at, around, 12);
}

/** Traces line y, between the runs [above, middle) above it and [middle, last) below it. The object begins at run `from`. */
function traceLine(call: TraceOutlinesCall, own: Stretches, from: u32, above: u32, middle: u32, last: u32, y: u32): void {
  const pitch = <usize>call.count << 2;
  const begin = call.table + pitch, end = begin + pitch;
  let count = own.count;
  // A corner whose horizontal piece has no end yet.
  let open = NONE;
  // Whether the next side above or below is a right one.
  let aRight = false;
  let bRight = false;
  let i = above;
  let j = middle;
  while (i < middle || j < last) {
    const aX = i < middle ? load<u32>((aRight ? end : begin) + (<usize>i << 2)) : NONE;
    const bX = j < last ? load<u32>((bRight ? end : begin) + (<usize>j << 2)) : NONE;
    const aSide = (aRight ? own.ofRight : own.ofLeft) + (<usize>(i - from) << 2);
    const bSide = (bRight ? own.ofRight : own.ofLeft) + (<usize>(j - from) << 2);
    if (aX == bX && aRight == bRight) {
      store<u32>(bSide, load<u32>(aSide));
      i += <u32>aRight;
      j += <u32>bRight;
      aRight = !aRight;
      bRight = !bRight;
      continue;
    }
    let ended = NONE;
    let begun = NONE;
    if (aX <= bX) {
      ended = 2 * load<u32>(aSide) + 1;
      store<u32>(own.y + (<usize>ended << 2), y);
    }
    if (bX <= aX) {
      store<u32>(own.x + (<usize>count << 2), bX);
      store<u8>(own.flags + count, bRight ? RIGHT : 0);
      store<u32>(bSide, count);
      store<u32>(own.run + (<usize>count << 2), j - from);
      begun = 2 * count++;
      store<u32>(own.y + (<usize>begun << 2), y);
    }
    // If runs touch only by a corner, four borders meet. With 8 neighbours one outline encloses both runs: the piece on the
    // left joins the border of the other run.
    const both = ended != NONE && begun != NONE;
    const endsFirst = both ? call.eight != aRight : ended != NONE;
    const one = endsFirst ? ended : begun;
    const two = both ? (endsFirst ? begun : ended) : NONE;
    if (open == NONE) open = one;
    else {
      store<u32>(own.link + (<usize>open << 2), one);
      store<u32>(own.link + (<usize>one << 2), open);
      open = two;
    }
    if (ended != NONE) {
      i += <u32>aRight;
      aRight = !aRight;
    }
    if (begun != NONE) {
      j += <u32>bRight;
      bRight = !bRight;
    }
  }
  own.count = count;
}

/** Marks the stretches of the ring of a hole; its first one is on the right side of a run. */
function see(own: Stretches, first: u32): void {
  let corner = 2 * first;
  do {
    const at = own.flags + (corner >> 1);
    store<u8>(at, load<u8>(at) | SEEN);
    corner = load<u32>(own.link + (<usize>(corner ^ 1) << 2));
  } while (corner != 2 * first);
}

/** Writes a ring from the upper end of stretch `first` on: along the line if it is a left side, else down. Returns its end. */
function takeRing(own: Stretches, first: u32, ring: u32, points: usize, length: u32): u32 {
  let corner = 2 * first;
  let isDown = (load<u8>(own.flags + first) & RIGHT) != 0;
  do {
    const at = points + (<usize>length << 2);
    store<u32>(at, load<u32>(own.x + (<usize>(corner >> 1) << 2)));
    store<u32>(at, load<u32>(own.y + (<usize>corner << 2)), 4);
    length += 2;
    const flags = own.flags + (corner >> 1);
    store<u8>(flags, load<u8>(flags) | SEEN);
    store<u32>(own.ring + (<usize>(corner >> 1) << 2), ring);
    corner = isDown ? corner ^ 1 : load<u32>(own.link + (<usize>corner << 2));
    isDown = !isDown;
  } while (corner != 2 * first);
  return length;
}
