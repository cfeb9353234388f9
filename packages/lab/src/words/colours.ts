// Words of the colours tool, loaded with it.

import type { Start } from "../settings/colours.js";

export const COLOUR_WORDS = {
  bits: "Colours are of pictures with 8 bits per channel, and this one has more. Save it with 8 bits, or use the other tools.",
  k: "Number of colours",
  metric: "Difference",
  metrics: { l2: "squares (means)", l1: "sums (medians)", "l1-mean": "sums (means)" },
  space: "Compared as",
  spaces: { rgb: "stored", oklab: "seen" },
  start: "Begins with",
  starts: {
    "kmeans++": "far colours",
    random: "random ones",
    grid: "a grid",
    tiles: "parts of the picture",
  } satisfies Record<Start, string>,
  seed: "Seed",
  suited: "How well each number of colours suits",
  off: (error: number) => `off by ${Number(error.toPrecision(3))} on average`,
  silhouette: (k: number, value: number) => `${k}: silhouette ${value.toFixed(3)}`,
  suggested: (k: number) => `${k} suits best`,
  took: "Time for each number of colours on this machine",
  milliseconds: (k: number, ms: number) => `${k}: ${ms.toFixed(0)} ms`,
  objects: "Find its objects",
  apart: "Take merged colours apart",
  none: "There are no colours yet.",
  tips: {
    metric: "How the difference of two colours is measured, and which colour represents several.",
    space: "As the numbers in the file, or as the eye sees them (Oklab).",
    start: "Where the search begins; k-means goes on from there.",
    click: "A click shows it alone; Shift and a click merge it with the colours that are shown alone.",
    objects: "The connected areas of the colours that are shown, as objects.",
  },
} as const;
