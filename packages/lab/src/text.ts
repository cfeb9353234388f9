// Every word on the page.

export const TEXT = {
  title: "skerry lab",
  open: "Open",
  invite: "Drop an image. Nothing leaves this page.",
  samples: "Sample",
  undo: "Undo",
  redo: "Redo",
  code: "Code",
  commandLine: "Command line",
  copy: "Copy",
  close: "Close",
  objects: (count: number) => (count === 1 ? "object" : "objects"),
  covered: (part: number) => `${(100 * part).toFixed(1)} % covered`,
  threshold: "Threshold",
  brighter: "brighter than",
  darker: "darker than",
  otsu: "Otsu",
  connectivity: "Neighbours",
  minArea: "Smallest area",
  fillHoles: "Fill holes",
  clearBorder: "Drop objects at the border",
  compare: "Drag to compare the picture with its objects",
  stays: "Stays on this machine",
  on: (device: string, threads: number) =>
    `${device === "gpu" ? "WebGPU" : "WebAssembly"}, ${threads} ${threads === 1 ? "thread" : "threads"}`,
  milliseconds: (n: number) => `${n.toFixed(1)} ms`,
  columns: ["#", "area", "x", "y", "eccentricity"],
  spoken: (count: number, threshold: number) => `${count} objects, threshold ${threshold}`,
  pixel: (x: number, y: number, value: number | undefined, label: number) =>
    `x ${x}  y ${y}  value ${value ?? "-"}  ${label ? `object ${label}` : "no object"}`,
  failures: {
    decode: (name: string) =>
      `${name} could not be read as an image. Open a PNG, JPEG, WebP, AVIF or GIF; skerry label reads more kinds.`,
    large: (width: number, height: number) =>
      `${width} x ${height} pixels are more than this page draws; use skerry label on the command line.`,
    webgl: "This browser has no WebGL2, which the page draws with. Try another browser.",
    engine: (reason: string) => `The engine could not start: ${reason}`,
  },
};
