// The recipe as a call of the library and as a command line, which give the same objects.

import { type Recipe, SAMPLES } from "./recipe.js";

/** The file of a sample, in the repository, or the reader's own. */
function fileOf({ source }: Recipe): string {
  const sample = SAMPLES.find((each) => each.source === source);
  return sample ? `samples/${sample.file}` : source;
}

export function typescriptOf(recipe: Recipe): string {
  const { polarity, threshold, connectivity, minArea, fillHoles, clearBorder } = recipe;
  const options = [
    `threshold: { ${polarity === "bright" ? "above" : "below"}: ${threshold} }`,
    `connectivity: ${connectivity}`,
    ...(minArea > 1 ? [`minArea: ${minArea}`] : []),
    ...(fillHoles ? ["fillHoles: true"] : []),
    ...(clearBorder ? ["clearBorder: true"] : []),
  ];
  return `import { open } from "skerry";

const engine = await open();
// image: { data, width, height }, e.g. an ImageData
const objects = await engine.components(image, {
  ${options.join(",\n  ")},
});
console.log(objects.count);
await engine.close();
`;
}

export function commandOf(recipe: Recipe): string {
  const { polarity, threshold, connectivity, minArea, fillHoles, clearBorder } = recipe;
  const file = fileOf(recipe);
  return [
    `npx skerry label ${/^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}`,
    `--${polarity === "bright" ? "above" : "below"} ${threshold}`,
    ...(connectivity === 8 ? ["--connectivity 8"] : []),
    ...(minArea > 1 ? [`--min-area ${minArea}`] : []),
    ...(fillHoles ? ["--fill-holes"] : []),
    ...(clearBorder ? ["--clear-border"] : []),
  ].join(" ");
}
