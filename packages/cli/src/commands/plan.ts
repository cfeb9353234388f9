// skerry cluster plan: prints the plan of a run over many machines, a JSON object for workers.

import { estimate, KNOWN_PROPERTIES, plan, plansFlag, runOf } from "@skerry/cluster";
import type { Operation, Recipe } from "@skerry/recipe";
import { Command } from "commander";
import { UsageError } from "../errors.js";
import { grouped, tellNotes } from "../progress.js";
import { RecipeFlags } from "./fields.js";
import { isZarrName } from "./stores.js";

interface Options {
  output?: string;
  regions?: string | true;
  scratch?: string;
  block?: number[];
  overwrite?: boolean;
  dryRun?: boolean;
}

export function planCommand(recipe?: Recipe, of?: string): Command {
  const command = new Command(of ?? "plan");
  command
    .summary("plan a run over many machines: a recipe, an OME-Zarr image and its blocks")
    .description(
      [
        "Prints a plan: what label is to do with an OME-Zarr image, cut into blocks. skerry cluster submit runs it on this machine or with workers anywhere, and labels and columns are those of one machine. Metadata are read, and files are listed, so that a run ends if they change. A threshold has to be named: plans choose none.",
        "Other options of label do not work over many machines, and are refused by name.",
      ].join("\n\n"),
    )
    .argument("<INPUT.zarr>", "an OME-Zarr image, or a label image to be measured: a folder or a URL")
    .usage(of ? `${of} INPUT.zarr [options] > plan.json` : "label|RECIPE.json INPUT.zarr [options] > plan.json");
  command.optionsGroup("What to write:");
  command
    .option("-o, --output <FILE.zarr>", "labels: into an OME-Zarr image as labels/NAME, or as a new one")
    .option(
      "--regions [FILE]",
      "measurements: .csv, or .parquet, a folder of parts; without FILE both, beside the labels",
    )
    .option("--overwrite", "replace the label image of that name");
  const operations: readonly Operation[] = ["components", "labelled"];
  const flags = new RecipeFlags(command, recipe, "What to do:", {
    operations,
    isPlan: true,
    shown: (field) => plansFlag(field, operations[0]),
  });
  command.optionsGroup("How to cut it:");
  command
    .option(
      "--block <N,N,N>",
      "sides of a block along x, y and z (default: near 512, or 4096 for images, in whole chunks)",
      sidesOf,
    )
    .option(
      "--scratch <DIR>",
      "folder that all workers share, or s3://BUCKET/PATH, for data between steps (default: beside the output)",
    )
    .option("--dry-run", "print blocks, phases, bytes, memory and requests instead");
  command.addHelpText(
    "after",
    `
Properties of plans:
${KNOWN_PROPERTIES.join(", ").replace(/(.{56,72},) /g, "$1\n")}

Examples:
  skerry cluster plan label brain.zarr --threshold ">120" --connectivity 26 -o brain.zarr --name cells --regions > plan.json
  skerry cluster plan label brain.zarr/labels/cells --by labels --intensity brain.zarr --regions cells.csv > plan.json
  skerry cluster plan cells.json brain.zarr -o brain.zarr --regions --dry-run
  skerry cluster submit plan.json`,
  );
  return command.action(async (input: string, options: Options) => {
    if (!of && !recipe)
      throw new UsageError("Expected label or RECIPE.json behind plan; see skerry cluster plan --help.");
    const { output, regions, scratch, block, overwrite, dryRun } = options;
    if (output !== undefined && !isZarrName(output)) {
      throw new UsageError(`Expected -o to end in .zarr in a plan, got ${output}.`);
    }
    const onNote = (note: string): void => {
      tellNotes([note], {});
    };
    const planned = await plan({ recipe: flags.recipe(), input, output, regions, scratch, block, overwrite, onNote });
    if (!dryRun) {
      console.log(JSON.stringify(planned, undefined, 2));
      return;
    }
    const figures = estimate(planned);
    console.log(`run ${runOf(planned)}: ${grouped(figures.blocks)} blocks of ${figures.block.join(" x ")}`);
    console.log(`phases: ${figures.phases.map(({ phase, steps }) => `${phase} ${grouped(steps)}`).join(", ")}`);
    console.log(
      `reads ${sizeOf(figures.input)} of values, each chunk ${figures.reads === 1 ? "once" : `${figures.reads} times`}`,
    );
    if (figures.labels > 0) console.log(`writes ${sizeOf(figures.labels)} of labels, before they are packed`);
    console.log(
      `scratch: at most ${sizeOf(figures.scratch)} of bits and faces, written and read; records of objects on top`,
    );
    console.log(
      `memory: ${sizeOf(figures.worker)} for a worker; 1 GiB of the merge holds ${grouped(figures.fragmentsPerGibibyte)} fragments`,
    );
    console.log(`requests: about ${grouped(figures.requests)}`);
  });
}

function sidesOf(text: string): number[] {
  const sides = text.split(",").map(Number);
  if (
    (sides.length === 1 || sides.length === 2 || sides.length === 3) &&
    sides.every((side) => Number.isInteger(side) && side > 0)
  ) {
    return sides;
  }
  throw new UsageError(`Expected --block to be sides such as 512 or 512,512,256, got ${text}.`);
}

/** Bytes as text, in B, KiB, MiB, GiB or TiB. */
export function sizeOf(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${value >= 100 || unit === 0 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]}`;
}
