// A line scan in a terminal: the board of samples/board.png passes under a line camera again and again, and
// each bright or dark defect is printed as soon as its last line is past.
//
//     node examples/line-scan.mjs [--seconds 20] [--lines 1500]

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openPicture, rasterOf } from "@skerry/files/node";
import { open } from "skerry";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "20" }, lines: { type: "string", default: "1500" } },
});
const [seconds, linesASecond] = [Number(values.seconds), Number(values.lines)];

const picture = await openPicture(fileURLToPath(new URL("../samples/board.png", import.meta.url)));
const { data, width, height } = await rasterOf(picture);
await picture.close();

/** Lines of the board at the camera's beat, in groups as a driver gives them. */
async function* camera() {
  const begin = performance.now();
  for (let row = 0; performance.now() - begin < seconds * 1000; ) {
    const due = Math.floor(((performance.now() - begin) / 1000) * linesASecond);
    for (; row < due; row++) yield data.subarray((row % height) * width, ((row % height) + 1) * width);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A small picture as shades of text. */
function shades({ data: pixels, width: across, height: down }) {
  const step = Math.max(1, Math.ceil(across / 12));
  const middle = Math.floor(down / 2) * across;
  let text = "";
  for (let x = 0; x < across; x += step) text += " ░▒▓█"[Math.min(4, Math.floor(pixels[middle + x] / 51.2))];
  return text;
}

const engine = await open({ device: "cpu" });
const stream = engine.stream(
  { width, type: "u8", data: camera() },
  {
    threshold: { outside: [70, 190] },
    connectivity: 8,
    minArea: 5,
    properties: ["area", "bounds", "contrast"],
    thumbnail: 32,
  },
);
let count = 0;
let late = 0;
for await (const { id, polarity, area, bounds, contrast, thumbnail } of stream) {
  const [x0, , x1, y1] = bounds;
  count++;
  // Lines that were labelled behind the last one of the defect.
  late = Math.max(late, stream.row - y1);
  console.log(
    `line ${String(y1).padStart(6)}  defect ${String(id).padStart(5)}  ${polarity.padEnd(6)}  ${String(area).padStart(5)} px  columns ${x0} to ${x1}  contrast ${contrast.toFixed(0).padStart(4)}  ${shades(thumbnail)}`,
  );
}
const boards = (stream.row / height).toFixed(1);
console.log(`${count} defects in ${stream.row} lines, ${boards} boards; none was told more than ${late} lines late`);
await engine.close();
