// Texts of the line scan, loaded with its dialog.

export const LINE = {
  name: "As a line scan",
  start: "Start",
  stop: "Stop",
  says: "The picture passes under a line camera again and again. Each object is told as soon as no pixel of the last line continues it.",
  leftOut: (names: readonly string[]) => `Left out, because lines have no end: ${names.join(", ")}.`,
  refused: "Choose luma as channel, and brightness or values as rule: lines have no end, and no other steps.",
  told: (count: number, rows: number) =>
    `${count.toLocaleString("en")} ${count === 1 ? "object" : "objects"} in ${rows.toLocaleString("en")} lines`,
  object: ({ id, area, polarity, y1 }: { id: number; area: number; polarity?: string | undefined; y1: number }) =>
    `Object ${id}: ${polarity ? `${polarity}, ` : ""}${area.toLocaleString("en")} px, ended in line ${y1.toLocaleString("en")}`,
};
