// skerry run: runs a recipe, with the outputs of its command. If a recipe is named, main.ts builds that command in place
// of this one.

import { Command } from "commander";
import { UsageError } from "../errors.js";

export function runCommand(): Command {
  return new Command("run")
    .summary("run a recipe that --recipe or the page saved")
    .description(
      [
        "Runs RECIPE.json on each INPUT. The result is, bit for bit, that of the command or page that saved the recipe. Outputs are those of that command (label, fill, distance, kmeans or mask): skerry run RECIPE.json --help lists them.",
        "docs/recipe.md describes recipes.",
      ].join("\n\n"),
    )
    .argument("<RECIPE.json>", "a recipe")
    .argument("<INPUT...>", "what the recipe's command takes")
    .usage("RECIPE.json INPUT... [-o FILE] [options]")
    .addHelpText(
      "after",
      `
Examples:
  skerry label cells.png --threshold otsu --split --recipe cells.json
  skerry run cells.json plate/*.png --regions tables/{name}.csv
  skerry run cells.json cells.png --steps`,
    )
    .action(() => {
      throw new UsageError("Expected RECIPE.json before everything else; see skerry run --help.");
    });
}
