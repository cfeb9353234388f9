// The run table. First pixels of runs are marked and ranked like those of components. Every run is written at its rank.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import type { RunTable } from "../core/sums.js";
import { groupsOf } from "./bands.js";
import { recordRanks, takeRanks } from "./components.js";
import { allocateCounters } from "./counters.js";
import { type Context, withScratch } from "./device/context.js";
import type { Labelled, Strip } from "./labelled.js";
import { stripBytes } from "./mask.js";

const FIELDS = ["row", "begin", "end", "label"] as const;

/** Runs grouped between two turns of the event loop. */
const RUNS_AT_ONCE = 1 << 18;

type Table = { [field in (typeof FIELDS)[number]]: Uint32Array };

function emptyTable(count: number): Table {
  return {
    row: new Uint32Array(count),
    begin: new Uint32Array(count),
    end: new Uint32Array(count),
    label: new Uint32Array(count),
  };
}

/** Returns the runs in raster order. Reads back 16 bytes per run. */
export async function runsInOrder(context: Context, labelled: Labelled, call: Call): Promise<Table> {
  const table = emptyTable(labelled.runCount);
  await context.timed(call, "runs", labelled.runCount * 16, async () => {
    let written = 0;
    for (const strip of labelled.strips) {
      call.signal?.throwIfAborted();
      written += await stripRuns(context, labelled, strip, table, written);
    }
  });
  return table;
}

async function stripRuns(
  context: Context,
  { planes }: Labelled,
  strip: Strip,
  table: Table,
  written: number,
): Promise<number> {
  const { words } = planes;
  const total = (strip.y1 - strip.y0) * words;
  return withScratch(context, async (scope) => {
    const counters = await allocateCounters(scope);
    const { marks, ranks, blocks } = await takeRanks(scope, total);
    const commands = context.commands();
    commands.stage("runs", stripBytes(planes, strip) * strip.bits.length);
    for (const [index, bits] of strip.bits.entries()) {
      commands.dispatch("runs-starts", groupsOf(total), { bits, marks }, { words, total }, { SECOND: index > 0 });
    }
    recordRanks(commands, { marks, ranks, blocks, counters }, total, [], 0);
    const count = strip.runs;
    await commands.submit();
    const most = Math.floor(context.device.bindingBytes / 12);
    for (let from = 0; from < count; from += most) {
      const range = { begin: from, count: Math.min(most, count - from) };
      await withScratch(context, async (window) => {
        const runs = await window.allocate(range.count * 12, "runs");
        const labels = await window.allocate(range.count * 4, "labels of runs");
        const commands = context.commands();
        for (const [index, bits] of strip.bits.entries()) {
          const ranked = { bits, marks, ranks, blocks };
          const segments = strip.planes[index];
          const table = { words, total, row: strip.y0, ...range };
          commands.dispatch("runs-emit", groupsOf(total), { ...ranked, runs }, table);
          const labelling = { words, total, tileColumns: strip.tileColumns, ...range };
          const buffers = { ...ranked, ...segments, map: strip.labels, labels };
          commands.dispatch("runs-labels", groupsOf(total), buffers, labelling, { CELL: strip.cell });
        }
        await commands.submit();
        // All four reads run at once, so that their latencies overlap.
        await Promise.all(
          FIELDS.map((field, index) => {
            const [buffer, offset] = field === "label" ? [labels, 0] : [runs, index * range.count * 4];
            return context.read(context.commands(), buffer, offset, range.count * 4, (piece, at) => {
              const length = Math.min(piece.byteLength, range.count * 4 - at) / 4;
              table[field].set(new Uint32Array(piece, 0, length), written + from + at / 4);
            });
          }),
        );
      });
    }
    return count;
  });
}

/** Groups the runs by label, in raster order within each label, by a counting sort on the host. */
export async function runsByLabel(context: Context, labelled: Labelled, call: Call): Promise<RunTable> {
  const runs = await runsInOrder(context, labelled, call);
  const begun = performance.now();
  const { count, runCount } = labelled;
  const offsets = new Uint32Array(count + 1);
  const grouped = emptyTable(runCount);
  const inTurns = async (work: (i: number) => void): Promise<void> => {
    for (let from = 0; from < runCount; from += RUNS_AT_ONCE) {
      const to = Math.min(runCount, from + RUNS_AT_ONCE);
      for (let i = from; i < to; i++) work(i);
      await turn();
      call.signal?.throwIfAborted();
    }
  };
  await inTurns((i) => {
    offsets[runs.label[i]] = offsets[runs.label[i]] + 1;
  });
  for (let label = 1; label <= count; label++) {
    offsets[label] = offsets[label] + offsets[label - 1];
  }
  const next = offsets.slice();
  await inTurns((i) => {
    const label = runs.label[i];
    const at = next[label - 1];
    next[label - 1] = at + 1;
    for (const field of FIELDS) grouped[field][at] = runs[field][i];
  });
  call.timings.push({ stage: "group runs", milliseconds: performance.now() - begun, bytes: runCount * 32 });
  return { ...grouped, offsets };
}
