// skerry label: its help and its flags. label-run.ts runs it.

import type { Recipe } from "@skerry/recipe";
import { Command } from "commander";
import { REGION_PROPERTIES } from "skerry";
import { factsOf, isOfIntensity } from "skerry/internal";
import { addBatchOptions, addRunOptions } from "./arguments.js";
import { isAllShown, RecipeFlags, shorten } from "./fields.js";
import { AUTO, addOutputs, CODES, type GivenOptions } from "./label-options.js";
import { label } from "./label-run.js";

const FINDS =
  "Finds the objects in each INPUT: separates their pixels from the background, joins neighbours, numbers the objects from 1 in reading order (with --by labels in the order of their values), and writes what you ask for.";

const DESCRIPTION = [
  FINDS,
  "INPUT is a PNG, JPEG, WebP, GIF or AVIF picture, a TIFF of any type, a BMP, a binary PGM or PPM (8 or 16 bit), a .npy array (2-D or 3-D; or one in .npz), a volume of NIfTI (.nii, .nii.gz, .hdr with .img), NRRD (.nrrd, .nhdr), MetaImage (.mha, .mhd) or FreeSurfer (.mgh, .mgz), DICOM (a file, or a folder of slices; plain, or packed as run lengths, JPEG, JPEG-LS or JPEG 2000), a folder of pictures, masks of COCO, CVAT or Label Studio as run lengths (.json, .xml), raw values with --shape, an OME-Zarr image (a folder, a ZIP .ozx, or a URL of http, https or s3), or - for stdin. Colour counts as its luma (Rec. 601), except under --threshold nonzero and --by. INPUT may be a quoted pattern; a folder of pictures is each of them, or one volume with --volume. With several inputs, put {name} into the output names; an input that fails does not stop the others.",
].join("\n\n");

/** Options of the short help, with --help. */
const SHORT = [
  "--output",
  "--regions",
  "--overlay",
  "--auto",
  "--threshold",
  "otsu",
  "--fill-holes",
  "--split",
  "--min-area",
  "--json",
];

const SHORT_EXAMPLES = `Examples:
  skerry label coins.png --auto --overlay seen.png
  skerry label cells.png --threshold otsu --split --min-area 20 --regions cells.csv
  skerry label scans/*.tif --threshold otsu --fill-holes -o labels/{name}.npy --json
  skerry label head.nii.gz --threshold ">60" -o parts.nii.gz
  skerry label classes.tif --by value --regions areas.csv
  skerry info classes.tif`;

const SHORT_END = `
All options, among them those of reading, shapes, units, tables and devices: skerry help label all.`;

/** The properties of objects, by what has them. */
export const PROPERTIES = `Properties of images and volumes:
${wrapped(REGION_PROPERTIES.filter((name) => !factsOf(name).only && !isOfIntensity(name)))}
of images only:
${wrapped(REGION_PROPERTIES.filter((name) => factsOf(name).only === "image"))}
of volumes only:
${wrapped(REGION_PROPERTIES.filter((name) => factsOf(name).only === "volume"))}
of the pixels' values:
${wrapped(REGION_PROPERTIES.filter(isOfIntensity))}`;

const LONG_END = `
Examples:
  skerry label coins.png --auto --overlay seen.png
  skerry label cells.png --threshold otsu --overlay seen.png
  skerry label board.png --threshold outside:60..200 --connectivity 8 --min-area 5 --regions defects.csv
  skerry label scans/*.tif --threshold otsu --fill-holes -o labels/{name}.npy --json
  skerry label cells.png --threshold otsu --split --overlay parts.png
  skerry label page.png --threshold sauvola:12 --objects dark --connectivity 8 --min-area 8 --regions letters.csv
  skerry label slide.png --channel hematoxylin --smooth 1 --threshold otsu --split --min-area 40 --regions nuclei.csv
  skerry label head.nii.gz --smooth 1 --threshold triangle --close 8 --physical --fill-holes slices --largest 1 -o head.nii.gz
  skerry label cells.png --threshold otsu --split --outlines cells.geojson --simplify 1
  skerry label cells.png --threshold otsu --select "area > 50 && eccentricity < 0.8" --sort mean --top 20 --regions bright.csv
  skerry label tissues.nii.gz --by value --regions areas.csv --physical
  skerry label photos --threshold otsu --regions all.csv
  skerry label board.png --threshold outside:60..200 --fail-if "count > 300" --golden taught.csv --deviation 0.05
  grab | skerry label - --endless --shape 8192 --dtype u8 --threshold outside:60..200 --fail-if "area > 500"
  skerry label nuclei.tif --threshold otsu --intensity stack.tif:1 --physical --regions cells.csv
  skerry label brain.zarr --threshold ">120" --connectivity 26 -o brain.zarr --name cells --regions
  skerry label classes.tif --by value --world --physical --outlines classes.geojson

${PROPERTIES}

${CODES}`;

export function labelCommand(given?: Recipe): Command {
  const command = new Command("label")
    .summary("find, label and measure the objects in images and volumes")
    .description(isAllShown() ? DESCRIPTION : `${FINDS}\n\n${SHORT_EXAMPLES}`)
    .argument("<INPUT...>", "images or volumes to label, or - for stdin")
    .usage("INPUT... [options]");
  addOutputs(command);
  const flags = new RecipeFlags(command, given, "How to label:");
  command.optionsGroup("How to run and report:");
  command
    .option(
      "--auto",
      "take the settings on which most ways to find objects agree, and print their flags; others that are given stay",
    )
    .option(
      "--suggest",
      "list other settings with the number of objects that each gives; in a terminal also without it, if none are given",
    );
  addRunOptions(command, AUTO, "per input instead of a sentence");
  addBatchOptions(command);
  shorten(command, SHORT);
  command
    .addHelpText("after", isAllShown() ? LONG_END : SHORT_END)
    .action((inputs: string[], options: GivenOptions) => label(inputs, flags, options));
  return command;
}

/** Names in lines of at most 100 characters. */
function wrapped(names: readonly string[]): string {
  const lines = [""];
  for (const name of names) {
    const line = lines[lines.length - 1];
    if (line.length + name.length > 96) lines.push(`${name},`);
    else lines[lines.length - 1] = `${line} ${name},`.trim();
  }
  return lines
    .map((line) => `  ${line}`)
    .join("\n")
    .replace(/,$/, "");
}
