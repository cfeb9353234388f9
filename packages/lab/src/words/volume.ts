// Texts of the volume, loaded with it.

import type { Plane } from "../files/planes.js";

export const VOLUME = {
  noEngine: "The engine is not open.",
  flat: "This file holds images of their own, no volume.",
  opening: "Reading all slices …",
  planes: {
    axial: "Axial",
    coronal: "Coronal",
    sagittal: "Sagittal",
    xy: "Along z",
    xz: "Along y",
    zy: "Along x",
  } satisfies Record<Plane["name"], string>,
  slice: (name: string, at: number, most: number) => `${name}, slice ${at} of 0 to ${most}`,
  method: "Threshold by",
  neighbours: "Neighbours",
  black: "Black",
  white: "White",
  tolerance: "Tolerance",
  seed: "Click where the fill begins.",
  kinds: { objects: "Objects", fill: "Fill", distance: "Distance" },
  threshold: (threshold: number) => `threshold ${threshold}`,
  milliseconds: (milliseconds: number) => `${Math.round(milliseconds)} ms`,
  voxels: "voxels",
  biggest: (shown: number, count: number) => (shown < count ? `The ${shown} largest of ${count}` : "All objects"),
  volume: (unit: string) => `volume (${unit})`,
  saves: {
    table: "Measurements (.csv)",
    labels: "Labels (.nii)",
    mask: "Mask (.nii)",
    distances: "Distances (.nii)",
    recipe: "Recipe (.json)",
  },
  finest: {
    fill: "Fill the full size",
    recipe: "Recipe of the full size (.json)",
    reads: (read: number) => `Reading chunk ${read} …`,
    found: (voxels: number, volume: string | undefined, read: number, count: number) =>
      `At full size ${voxels.toLocaleString("en")} voxels${volume ? `, ${volume}` : ""}; ${read} of ${count.toLocaleString("en")} chunks read.`,
  },
  hint: "Drag in a slice moves the planes, the wheel goes through it; Shift and drag changes black and white.",
};
