// All texts of the page, except those of dialogs; see dialogs.ts.

import { METHODS } from "skerry/internal";
import type { Refusal } from "../files/opened.js";
import { type Channel, isLocal, type Method, type Rule, type Step } from "../settings/objects.js";
import type { ToolName } from "../settings/recipe.js";

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Lengths of the sides of a pixel, and their unit. */
type Sized = readonly [lengths: readonly number[], unit: string];

/** Two lengths in four digits. Example: 0.5 x 0.5. */
const sides = (lengths: readonly number[]): string =>
  lengths.map((length) => Number(length.toPrecision(4))).join(" x ");

/** A time in one or two digits. Example: 0.2 s, 1 ms. */
export const shortTime = (milliseconds: number): string =>
  milliseconds >= 100
    ? `${(milliseconds / 1000).toPrecision(1)} s`
    : `${Math.max(0.1, Number(milliseconds.toPrecision(1)))} ms`;

export const TEXT = {
  title: "skerry lab",
  open: "Open",
  invite: (around: string | null) =>
    around === null ? "Drop an image. Nothing leaves this page." : `Drop an image. Results go to ${around} alone.`,
  drop: "Drop it here",
  samples: "Samples",
  sample: (source: string) => `Sample: ${source}`,
  undo: "Undo",
  redo: "Redo",
  share: "Share",
  code: "Code",
  save: "Save",
  help: "Help",
  tools: "Tools",
  sheet: "Height of the controls",
  theme: "Light or dark",
  commandLine: "Command line",
  copy: "Copy",
  close: "Close",
  cancel: "Cancel",
  cancelled: "Cancelled. The result shown is that of earlier settings.",
  tabs: { objects: "Objects", fill: "Fill", distance: "Distance", colours: "Colours" } satisfies Record<
    ToolName,
    string
  >,
  objects: (count: number) => (count === 1 ? "object" : "objects"),
  pixels: (count: number) => (count === 1 ? "pixel" : "pixels"),
  covered: (part: number) => `${(100 * part).toFixed(1)} % covered`,
  coveredOfFence: (part: number) => `${(100 * part).toFixed(1)} % of the selection covered`,
  threshold: "Threshold",
  lower: "Lower threshold",
  rule: "Which pixels are objects",
  rules: {
    auto: "found by itself",
    bright: "brighter than",
    dark: "darker than",
    both: "brighter or darker",
    nonzero: "not zero",
    all: "all of the selection",
    value: "of equal value",
    labels: "of a label image",
  } satisfies Record<Rule, string>,
  autoRule: (polarity: string | undefined) =>
    polarity === undefined ? "automatic" : `${polarity === "dark" ? "darker" : "brighter"} (auto)`,
  methods: "How the threshold is chosen",
  method: (name: Method, chosen: number | undefined) => {
    const names = {
      fixed: "By hand",
      local: "Local",
      mean: "Local mean",
    };
    if (name === "fixed" || isLocal(name)) return names[name];
    return `Auto (${METHODS[name].title}${chosen === undefined ? "" : ` ${Number(chosen.toPrecision(4))}`})`;
  },
  localRadius: "Radius",
  offset: "Contrast",
  calls: (first: number, last: number) => `${shortTime(first)} the first time; ${shortTime(last)} now`,
  levelLow: "Shown as black",
  levelHigh: "Shown as white",
  radii: "Number of objects at each radius",
  radius: (radius: number) => `${radius} px`,
  coach: "Drag me",
  histogram: "How many pixels have each value",
  bin: (value: string, count: number) => `${value}: ${count.toLocaleString("en")} px`,
  objectsAt: (count: number, value: string) => `${count.toLocaleString("en")} objects at ${value}`,
  plateauShort: (count: number) => `${count} objects`,
  expected: {
    number: "Expected a number.",
    least: (least: number) => `Expected at least ${least}.`,
    most: (most: number) => `Expected at most ${most.toLocaleString("en")}.`,
  },
  slider: (label: string) => `${label}, slider`,
  without: (label: string) => `Without: ${label}`,
  channel: "Channel",
  channels: {
    luma: "brightness",
    red: "red",
    green: "green",
    blue: "blue",
    alpha: "alpha",
    hematoxylin: "hematoxylin",
    eosin: "eosin",
    dab: "DAB",
    contrast: "contrast with the frame",
  } satisfies Record<Channel, string>,
  gradient: {
    label: "Gradient",
    tip: "Finds objects in how much values change per pixel: borders, instead of what is bright or dark.",
    none: "none",
    sobel: "Sobel",
    gaussian: "Gaussian",
    sigma: (unit: string) => `Width (${unit})`,
  },
  steps: "More steps",
  step: {
    smooth: "Smooth",
    flatten: "Uneven light",
    open: "Remove specks",
    close: "Close gaps",
    erode: "Shrink",
    dilate: "Grow",
    split: "Split touching objects",
    absorb: "Merge small parts",
    expand: "Expand",
  } satisfies Record<Step, string>,
  limit: { maxArea: "Largest size", largest: "Only the largest" },
  tips: {
    rule: "Objects are brighter or darker than their surroundings; if automatic, decided from the pixels around each pixel.",
    method: "The histogram chooses the threshold until the line is dragged; Local compares with the pixels around.",
    channel: "What is compared: brightness, one colour, or a stain of a slide.",
    clearBorder: "Drops objects that the picture's border cuts.",
    connectivity: "With 8, pixels that touch at corners are joined.",
    fence: "Every tool works only inside what is selected.",
    cutOut: "Saves what is selected as a PNG with nothing around it.",
    original: "Hold B to see the picture alone.",
    seesChannel: "Shows the one channel that is thresholded instead of the colours.",
    tools: {
      objects: "Find, count and measure objects.",
      fill: "Select by a click, like a magic wand.",
      distance: "Map how far every pixel is from objects, a selection or points.",
      colours: "Reduce the picture to k colours, and separate them.",
    },
    step: {
      smooth: "Evens out noise before the threshold.",
      flatten: "Corrects light that changes slowly.",
      open: "Removes what is thinner than twice the radius.",
      close: "Closes gaps thinner than twice the radius.",
      erode: "Takes a rim off each object.",
      dilate: "Adds a rim to each object.",
      split: "Cuts objects at their waists; a higher number cuts less.",
      absorb: "Small parts join the neighbour that they touch most.",
      expand: "Each object grows until it meets another.",
    } satisfies Record<Step, string>,
  },
  none: "–",
  connectivity: "Neighbours",
  minArea: "Smallest size",
  fillHoles: "Fill holes",
  clearBorder: "Drop objects at the border",
  stability: "Number of objects at each threshold",
  plateau: (count: number, first: number, last: number) => `${count} objects from ${first} to ${last}`,
  fence: "Work inside",
  unfence: "Work everywhere",
  fenced: "Only inside the selection",
  copiedShort: "Copied",
  saved: (name: string) => `Saved ${name}`,
  counted: (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "object" : "objects"}`,
  look: "How the result is drawn",
  looks: { colours: "Colours", outlines: "Outlines", original: "Original" },
  opacity: "Opacity",
  seesChannel: "Channel",
  working: "Progress of the call",
  restored: (name: string) => `${name} restored`,
  opening: (name: string) => `Opening ${name}`,
  afresh: "Start afresh",
  carried: (name: string, from: string) => `${name} has no settings of its own: it is shown with those of ${from}`,
  asLeft: (name: string) => `${name} is as you left it`,
  defaults: "Default settings",
  level: "Shown from",
  levelTo: "to",
  compare: "Compare: where the picture ends and the result begins",
  picture: "Picture. Arrows move the crosshair, Enter takes what is under it.",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Fit",
  stays: (around: string | null) => (around === null ? "Stays on this machine" : `Results go to ${around}`),
  device: "Device",
  devices: { auto: "Automatic", cpu: "WebAssembly", gpu: "WebGPU" },
  on: (device: string, threads: number) =>
    `${device === "gpu" ? "WebGPU" : "WebAssembly"}, ${threads} ${threads === 1 ? "thread" : "threads"}`,
  columns: { label: "#", x: "x", y: "y" },
  spoken: (count: string, what: string) => `${count} ${what}`,
  /** The large number; undefined until it is known. */
  headline: ({ value, kind }: { readonly value: number | undefined; readonly kind?: string }) =>
    value === undefined ? undefined : kind === "length" ? TEXT.length(value) : value.toLocaleString("en"),
  /** A length of the picture's scale. */
  length: (value: number) => (Number.isFinite(value) ? `${Number(value.toPrecision(4))}` : "–"),
  comparing: {
    begin: "Compare",
    tip: "Keeps what is shown as A, on the left; change the settings to see B on the right.",
    swap: "Swap",
    end: "End",
    side: (name: string, count: number, lone: number | undefined) =>
      `${name}: ${count.toLocaleString("en")}${lone === undefined ? "" : `, ${lone.toLocaleString("en")} only here`}`,
  },
  strip: {
    corrected: "corrected by hand",
    remove: (name: string) => `Take ${name} out of the list`,
  },
  files: {
    name: "All files",
    ownSettings: "settings of its own",
    share: (count: number) => `Use these settings for all ${count} files`,
  },
  scale: { name: "Scale" },
  distance: {
    max: (unit: string) => `Up to (${unit})`,
    lines: "Lines every",
    mean: (mean: number, unit: string) => `mean ${TEXT.length(mean)} ${unit}`,
    nowhere: "no pixel is an object",
    farthest: (unit: string) => `${unit} at most`,
    touching:
      "Circles are of objects that do not touch: choose Objects, and leave out Split and the steps that grow objects.",
    none: "There is no distance map yet. Choose what distances are measured to.",
  },
  classes: (count: number) => (count === 1 ? "colour" : "colours"),
  classAt: (index: number | undefined) => (index === undefined ? "no colour" : `colour ${index + 1}`),
  /** An area in pixels, or in the square of a unit. */
  area: (value: number, unit: string | undefined) =>
    unit === undefined ? `${value.toLocaleString("en")} px` : `${TEXT.length(value)} ${unit}\u00b2`,
  distanceAt: (value: number, unit: string) => `distance ${TEXT.length(value)} ${unit}`,
  spokenThreshold: (threshold: number) => `, threshold ${threshold}`,
  pixel: (x: number, y: number, value: string, label: string) => `x ${x}  y ${y}  value ${value}  ${label}`,
  object: (label: number) => (label ? `object ${label}` : "no object"),
  remote: (host: string) => `Fetch the picture from ${host}?`,
  fetch: "Fetch",
  notes: {
    flat: (value: number) =>
      `The picture holds one value, ${value}, which no threshold divides: ${value === 0 ? "none" : "all"} of its pixels are objects`,
    otherTab: (name: string) =>
      `${name} was changed in another tab. What is changed last, here or there, is kept; reload to go on with what is there.`,
    oblong: (lengths: readonly number[], unit: string) =>
      `Its pixels are ${sides(lengths)} ${unit}; the picture shows them as squares`,
    unbounded: "Bounds of properties were in another unit, and hold no more",
    unsized: (name: string, unit: string) =>
      `Expected a size of a pixel of ${name}, since lengths are in ${unit || "its unit"}; set the scale`,
    overridden: (name: string, [given, unit]: Sized, [told, toldUnit]: Sized) =>
      `A pixel counts ${sides(given)} ${unit}, as the settings say; ${name} tells ${sides(told)} ${toldUnit}`,
    shrunk: (by: number) => `Opened at 1/${by} of its scale.`,
    large: (names: readonly string[]) =>
      `Too large for the browser's storage; open again after a reload: ${names.join(", ")}.`,
  },
  openSmaller: (by: number) => `Open at 1/${by} of its scale`,
  failures: {
    recipe: (why: string) => `The file holds no recipe that this page knows: ${why}`,
    noControl: (field: string) => `The page has no control for ${field} of the recipe; skerry run does it.`,
    decode: (name: string) =>
      `${name} could not be read as an image. Open a PNG, JPEG, WebP, AVIF, GIF, TIFF, PGM, .npy, NIfTI, NRRD or DICOM file; npx @skerry/cli label also reads folders of DICOM and OME-Zarr.`,
    heic: (name: string) =>
      `${name} is HEIC, which this browser does not read, nor the command line. Save it as JPEG or PNG; heif-convert does that.`,
    damaged: (name: string) =>
      `${name} is damaged: its picture ends too early, or cannot be decoded. Open another copy.`,
    link: "The address holds no settings that this page knows.",
    embed: (origin: string) =>
      `Expected ?embed= to be the origin of the page around this one, such as https://example.org, got ${origin}.`,
    nothing: "The objects are not measured yet. Save again once the table is there.",
    tooMany: (count: number, most: number) =>
      `Expected at most ${most.toLocaleString("en")} objects to cut out, got ${count.toLocaleString("en")}. Filter them, or select some.`,
    empty: (name: string) => `${name} has 0 bytes. Open another file.`,
    address: (address: string) =>
      `Expected ?open= to be a web address, got ${address.slice(0, 60)}. Open or drop an image.`,
    large: (name: string, width: number, height: number) =>
      `${name} has ${width} x ${height} pixels, which would take ${megabytes(width * height * 4)} to decode. Open it at a lower scale, or use npx @skerry/cli label.`,
    fetch: (host: string) =>
      `The picture could not be fetched from ${host}. Its server may not allow it; download it and drop it here.`,
    sample: (source: string) => `The sample ${source} could not be fetched. Reload the page, or drop an image.`,
    named: (source: string) => `This link is about ${source}. Open that file to see its result.`,
    webgl: "This browser has no WebGL2, which the page draws with. Try another browser.",
    engine: (reason: string) => `The engine could not start: ${reason}`,
    gpu: (reason: string) => `WebGPU could not be used, so the page uses WebAssembly: ${reason}`,
    lost: "The device was lost. The engine was started again, and the result was computed again.",
    memory: "There is not enough memory for this call. Open the picture at a lower scale, or close other tabs.",
    compare: (reason: string) => `The devices could not be compared: ${reason}`,
    call: (reason: string) => reason,
  },
  refused: (name: string, refusal: Refusal): string => {
    if (refusal.why === "large") return TEXT.failures.large(name, refusal.width, refusal.height);
    if ("reason" in refusal) return refusal.reason;
    return refusal.why === "webgl" ? TEXT.failures.webgl : TEXT.failures[refusal.why](name);
  },
};
