// Texts of the dialogs, loaded with them.

import type { FigurePart } from "../settings/figure.js";

export const HELP = {
  tasks: [
    ["Count and measure", "Drop a picture. Save > Measurements has one row for each object.", "count"],
    ["Correct the threshold", "Drag the line in the histogram; Auto brings it back.", "line"],
    ["Separate what touches", "Switch Split touching objects on; drag its slider.", "split"],
    ["One object", "Click it: its row is shown, and Copy, Delete and Cut out as PNG are for it.", "one"],
    ["Correct by hand", "Draw, Erase, Cut, Join, Fill a hole and Delete one are under By hand.", "hand"],
    ["Nuclei of a stained slide", "Choose hematoxylin as Channel.", "stain"],
    ["Only a part of the picture", "Select objects, or a Fill, then Work inside.", "inside"],
    ["How far, and which colours", "Distance maps how far each pixel is; Colours reduces to k.", "maps"],
    ["Lengths in a unit", "Scale, at the lower right: draw a line of known length.", "scale"],
    ["The same on other files", "Code has the command; Save > Recipe is what skerry run executes.", "files"],
  ] as const,
  keysTitle: "Keys",
  keys: [
    ["Ctrl+Z, Ctrl+Shift+Z, Ctrl+Y", "undo, redo"],
    ["wheel, pinch, + and -", "zoom to the pointer"],
    ["0, 1", "fit, 100 %"],
    ["drag, Space and drag, Shift and arrows", "move the picture"],
    ["arrows", "move the crosshair by a pixel; with Ctrl by ten"],
    ["Enter", "take what is under the crosshair; zoom to the row"],
    [
      "click, Shift and click",
      "select, add to the selection; in the table Ctrl adds, and Shift takes all rows between",
    ],
    ["Shift and drag", "select the objects in a box"],
    ["N, P", "the next object, the one before"],
    ["Ctrl+A, Esc", "select all objects, none"],
    ["Delete", "drop what is selected"],
    ["F", "work inside what is selected"],
    ["B, held", "the picture alone"],
    ["V, L, R, D, E, K", "by hand: select, lasso, region, draw, erase, cut"],
    ["J, H, X, M", "by hand: join, fill a hole, delete, measure"],
    ["[ and ]", "less, more tolerance; a smaller, larger brush"],
    ["Shift, Alt", "fill: add, take away"],
    ["P", "fill: paint the selection"],
    [", and .", "move the divider"],
    ["O, S, ?", "open, save, this list"],
  ] as const,
};

export const TOUR = {
  name: "Tour of five tasks",
  link: "Tour: five tasks, each on a sample",
  article: "The article",
  here: "Here",
  back: "Back",
  next: "Next",
  time: (first: string, warm: string, width: number, height: number, device: string) =>
    `${warm} for ${width} x ${height} pixels, ${first} the first time, ${device}`,
  steps: [
    {
      title: "1 Object markup",
      task: "List the connected objects of a picture, each in its own colour, with what they measure. Drag the line in the histogram.",
      article: "Ultra fast image markup (2011): tens of ms for 4096 x 4096 on a GTX 460",
    },
    {
      title: "2 Defects, bright and dark",
      task: "Find what is brighter or darker than a board in one pass. Click a defect: its row is shown.",
      article: "GPU connected-domain analysis (2023): about 15 ms for 8192 x 8192 on an RTX 4080",
    },
    {
      title: "3 Flood fill",
      task: "Fill from a pixel what differs by little. A maze is the worst case. Click elsewhere; drag for more tolerance.",
      article: "Flood fill with CUDA: 1150 ms on the GPU, 1200 ms on the CPU for a maze",
    },
    {
      title: "4 Distance map",
      task: "Measure how far every place of a scan is from the head, exactly, in mm. Volume has it in three planes; a click reads it.",
      article: "An exact 3D distance map: about a minute for 625 x 625 x 592 voxels on a GTX 460",
    },
    {
      title: "5 K-means colours",
      task: "Reduce a photograph to k colours by Manhattan distance. Click a colour to see it alone; the curve has the time at each k.",
      article: "K-means image segmentation (2022): 6.8 s for k = 128 on a Tesla P4",
    },
  ],
} as const;

export const SAVES = {
  savedRows: (name: string, rows: number) => `Saved ${name}, ${rows.toLocaleString("en")} rows`,
  groups: {
    numbers: "Numbers",
    pictures: "Pictures",
    masks: "Masks and labels",
    values: "Values",
    outlines: "Outlines for QuPath, ImageJ, COCO",
    settings: "Settings",
    figures: "Figures",
  } as Record<string, string>,
  saves: {
    labels: "Labels (.npy)",
    mask: "Mask (.png)",
    result: "Result at full size (.png)",
    figurePng: "Figure (.png)",
    figureSvg: "Figure (.svg)",
    seen: "View as seen (.png)",
    cutouts: "Each object cut out (.zip)",
    painted: "Painted picture (.png)",
    distancePicture: "Map in its colours (.png)",
    poster: "Picture in its colours (.png)",
    posterSvg: "Poster of areas (.svg)",
    distanceNpy: "Distances (.npy)",
    distanceTiff: "Distances (.tif, 32-bit floats)",
    circles: "Largest circles (.csv)",
    classes: "Number of each pixel's colour (.png)",
    palette: "Colours with their pixels (.json)",
    regionsCsv: "Measurements (.csv)",
    regionsJson: "Measurements (.json)",
    coco: "Run lengths, COCO (.json)",
    recipe: "Recipe (.json), for skerry run and for this page",
  } as Record<string, string>,
  opens: {
    regionsCsv: "Excel, R, pandas",
    regionsJson: "programs",
    distanceNpy: "NumPy",
    distanceTiff: "ImageJ, QGIS",
    circles: "Excel, R, pandas",
    palette: "programs",
    figurePng: "papers, slides",
    figureSvg: "Inkscape, Illustrator",
    posterSvg: "Inkscape, Illustrator",
    classes: "any image program",
    cutouts: "PNGs with nothing around the object",
    labels: "NumPy, napari",
    mask: "any image program",
    coco: "pycocotools, CVAT",
    "outlines.geojson": "QuPath, QGIS",
    "outlines.zip": "ImageJ and Fiji",
    "outlines.json": "COCO tools, CVAT",
    "outlines.svg": "Inkscape, Illustrator",
    "outlines.fgb": "QGIS, GDAL",
  } as Record<string, string>,
  parts: {
    colours: "Colours",
    outlines: "Outlines",
    numbers: "Numbers",
    bar: "Scale bar",
  } satisfies Record<FigurePart, string>,
  colourBy: "Colours follow",
  eachOwn: "each object's own",
  ofClass: "the class",
  figureTitle: "Title",
  withoutScale: "Set the scale under the picture to draw a scale bar.",
  outlines: (title: string, ending: string) => `Outlines: ${title} (${ending})`,
};

/** The panel of all files. */
export const FILES = {
  unitsDiffer: (name: string, unit: string, first: string, other: string) =>
    `${name} has lengths in ${unit}, which cannot be converted to ${other}, as in ${first}.`,
  about: (count: number, shown: string) =>
    `${count} files. Those without settings of their own are measured with those of ${shown}.`,
  pictures: "Labels (.tif) and overlays (.png) in a ZIP",
  run: (count: number) => `Measure ${count} files`,
  saves: {
    table: "Save the table",
    pictures: "Save labels and overlays",
    settings: "Save the settings of all files",
  },
  left: (images: readonly string[]) =>
    `The settings hold no work on ${images.join(", ")}: they have one image of a file.`,
  progress: "Files that are done",
  pause: "Pause",
  goOn: "Go on",
  table: "Objects of all files",
  file: "file",
  area: (unit: string) => `area (${unit})`,
  show: (name: string, label: number) => `Show object ${label} of ${name}`,
  stale: "Some files have changed since they were measured, or are not in the table: measure again.",
  changed: (name: string) => `The settings of ${name} have changed since it was measured. Measure the files again.`,
  objects: "Choose Objects: only this tool makes tables.",
  done: (objects: number, files: number) => `${objects.toLocaleString("en")} objects of ${files} files`,
};

/** The images of a file that holds several. */
export const IMAGES = {
  page: "Page",
  slice: "Slice",
  channel: "Channel",
  time: "Time",
  level: "Level",
  volume: "Volume",
  channels: "Channels in colours",
  colourOf: (name: string) => `Colour of ${name}`,
  black: "black",
  white: "colour at",
  projection: "Slices or pages as one image",
  projections: { "": "One at a time", largest: "Largest of all", mean: "Mean of all" },
  of: (at: number, last: number) => `${at} / ${last}`,
} as const;

/** The program and the command that do what the page shows. */
export const CODE = {
  hosts: "Where the code runs",
  host: { node: "Node", browser: "Browser" },
  cannot: {
    shrink: "the lower scale that the picture was opened at",
    address: "pictures at an address: download it first",
    "input.within": "the selection that is worked inside",
    "options.strokes": "fills with tolerances of their own, and those taken away",
    "products.coats": "several colours",
    nothing: "anything before a place is clicked",
  } as Record<string, string>,
  notBytes:
    "The picture has more than 8 bits, or browsers cannot decode it: read its values with @skerry/files, or use the command.",
  cannotAll: (list: string) => `The command line does not support: ${list}.`,
};

/** Links to what is shown. */
export const SHARE = {
  link: "Link",
  linkLong: "These settings are too long for a link. Save > Recipe has them all, or copy the code.",
  copiedLink: "Copied the link",
  presets: {
    title: "Settings under a name",
    name: "Name",
    save: "Save settings",
    use: "Use",
    none: "There are no settings to save yet.",
    forget: (name: string) => `Forget ${name}`,
  },
  needs: (source: string) => `The link holds the settings, not the picture. To use the link, open ${source} as well.`,
};

export const CHARTS = {
  histogramOf: (name: string) => `How many objects have each ${name.toLowerCase()}`,
  scatterOf: (x: string, y: string) => `${y} over ${x}, a point for each object`,
  vertical: "Upwards",
  horizontal: "To the right",
  over: "over",
  log: "Logarithmic axes",
};

/** The scale, loaded with its dialog. */
export const SCALE = {
  unit: "Unit",
  pixel: "A pixel is",
  line: (pixels: number) => `The line of ${pixels.toFixed(1)} px is`,
  set: "Set the scale",
  forAll: "For every file that tells none",
  draw: "Draw a line of known length",
  file: (size: number, down: number, unit: string) =>
    `As the file says: ${Number(size.toPrecision(4))}${down === size ? "" : ` x ${Number(down.toPrecision(4))}`} ${unit}`,
  none: "No scale",
  hint: "Lengths, sizes and tables are then in the unit; smallest and largest sizes count pixels.",
};
