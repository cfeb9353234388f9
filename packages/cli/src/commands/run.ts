// skerry run: what a recipe tells, with the outputs of the command that it stands for. With a recipe that command runs in this one's
// place; see main.ts.

import { Command } from "commander";
import { UsageError } from "../errors.js";

export function runCommand(): Command {
  return new Command("run")
    .summary("run a recipe, as --recipe and the page keep it")
    .description(
      [
        "Does to each INPUT what RECIPE.json tells: the same, bit for bit, as the command that kept the recipe with --recipe, or as the page that saved it. Outputs are those of that command (label, measure, fill, distance, kmeans or mask): skerry run RECIPE.json --help tells them.",
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
  skerry label cells.png --otsu --split --recipe cells.json
  skerry run cells.json plate/*.png --regions tables/{name}.csv
  skerry run cells.json cells.png --steps`,
    )
    .action(() => {
      throw new UsageError("Expected RECIPE.json before everything else; see skerry run --help.");
    });
}
