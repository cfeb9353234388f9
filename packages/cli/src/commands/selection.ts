// Which of the objects stay, by their properties, and in which order their measurements are written: --select, --sort, --top.

import { type Command, Option } from "commander";
import {
  type CallOptions,
  type Components,
  type KeepWhereOptions,
  type ObjectProperty,
  REGION_PROPERTIES,
} from "skerry";
import { isNumber, type NumberProperty } from "skerry/internal";
import { UsageError, unexpected } from "../errors.js";
import { whole } from "./arguments.js";
import { type Parsed, parseCondition } from "./expression.js";

/** Properties of one number per object. */
const NUMBERS: readonly NumberProperty[] = REGION_PROPERTIES.filter(isNumber);

/** A property to sort by, the largest first as a rule. */
interface Sorting {
  readonly property: NumberProperty;
  readonly rising: boolean;
}

export interface SelectionOptions {
  select?: Parsed;
  sort?: Sorting;
  top?: number;
}

export function addSelectionOptions(command: Command): void {
  command
    .addOption(
      new Option(
        "--select <CONDITION>",
        'keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||',
      ).argParser((text) => parseCondition("--select", text, NUMBERS)),
    )
    .addOption(
      new Option(
        "--sort <PROPERTY>",
        "order of --regions and --top, the largest first; -PROPERTY the smallest",
      ).argParser(sorting),
    )
    .addOption(new Option("--top <N>", "keep the first N by --sort, or the N largest").argParser(whole("--top")));
}

function sorting(text: string): Sorting {
  const rising = text.startsWith("-");
  const property = (rising ? text.slice(1) : text) as NumberProperty;
  if (!NUMBERS.includes(property)) throw unexpected("--sort", `one out of ${NUMBERS.join(", ")}`, text);
  return { property, rising };
}

export function checkSelection({ sort, top }: SelectionOptions, regions: string | undefined): void {
  if (sort && regions === undefined && top === undefined) {
    throw new UsageError("Expected --sort together with --regions FILE or --top.");
  }
}

export type Measuring = Pick<KeepWhereOptions<ObjectProperty>, "intensity" | "physical">;

/** Selects from the objects, which are disposed of if others are made of them. */
export async function selectObjects(
  found: Components,
  { select, sort, top }: SelectionOptions,
  measuring: Measuring,
  call: CallOptions,
): Promise<Components> {
  let left = found;
  try {
    if (select) {
      const before = left;
      left = await before.keep({
        ...{ ...measuring, ...call },
        // All names are of properties with one number.
        where: (object) => select.condition(object as unknown as Readonly<Record<string, number>>),
        // A condition of numbers alone needs none, but something has to be measured.
        properties: select.names.length > 0 ? (select.names as ObjectProperty[]) : ["area"],
      });
      before.dispose();
    }
    if (top !== undefined && top < left.count) {
      const before = left;
      const order = await orderOf(before, sort ?? { property: "area", rising: false }, measuring, call);
      left = await before.keep({ labels: order.subarray(0, top), ...call });
      before.dispose();
    }
    return left;
  } catch (error) {
    left.dispose();
    throw error;
  }
}

/** Labels in an order; NaN come last, and of equal ones the lower label first. */
export async function orderOf(
  objects: Components,
  { property, rising }: Sorting,
  measuring: Measuring,
  call: CallOptions,
): Promise<Uint32Array> {
  const regions = await objects.regions({ properties: [property], ...measuring, ...call });
  const values = Float64Array.from(regions[property] as ArrayLike<number | bigint>, Number);
  const labels = Uint32Array.from({ length: objects.count }, (_, i) => i + 1);
  return labels.sort((a, b) => {
    const [one, other] = [values[a - 1], values[b - 1]];
    if (Number.isNaN(one) || Number.isNaN(other))
      return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || a - b;
    return (rising ? one - other : other - one) || a - b;
  });
}
