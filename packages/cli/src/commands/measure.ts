// skerry measure: measures the objects of label images, with the values of another image. Shares its code with skerry label.

import type { Recipe } from "@skerry/recipe";
import { Command } from "commander";
import { addBatchOptions, addRunOptions } from "./arguments.js";
import { RecipeFlags } from "./fields.js";
import { PROPERTIES } from "./label.js";
import { AUTO, addOutputs, CODES, type GivenOptions } from "./label-options.js";
import { label } from "./label-run.js";

export function measureCommand(given?: Recipe): Command {
  const command = new Command("measure")
    .summary("measure the objects of a label image, with the values of another image")
    .description(
      [
        "Measures the objects of each INPUT, a label image: each value but 0 is one object, in one piece or several, and neighbours may touch. With --intensity also the values that another image of the same size has under them.",
        "INPUT is what 'skerry label' takes, or - for stdin. INPUT may be a quoted pattern, or a folder of pictures. With several inputs, put {name} into the names of outputs and of --intensity.",
      ].join("\n\n"),
    )
    .argument("<INPUT...>", "label images, or - for stdin")
    .usage("INPUT... [--regions FILE] [options]");
  addOutputs(command);
  const flags = new RecipeFlags(command, given, "What to measure:");
  command.optionsGroup("How to run and report:");
  addRunOptions(command, AUTO, "per input instead of a sentence");
  addBatchOptions(command);
  command
    .addHelpText(
      "after",
      `
Examples:
  skerry measure nuclei.png --intensity marker.tif --regions cells.csv
  skerry measure 'cells/*.png' --intensity stacks/{name}.tif:0 --intensity stacks/{name}.tif:1 --regions all.csv
  skerry measure parcels.nii.gz --intensity thickness.nii.gz --properties area,mean,std --physical --regions parcels.csv

${PROPERTIES}

${CODES}`,
    )
    .action((inputs: string[], options: GivenOptions) => label(inputs, flags, options));
  return command;
}
