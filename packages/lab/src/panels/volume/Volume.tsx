// The whole volume of which the page shows a slice: three planes that meet in a point, with the objects, the fill or the distances in
// all of it, by the settings of the tools.

import { effect, untracked } from "@preact/signals";
import { worldAt } from "@skerry/files/internal";
import { useEffect, useRef } from "preact/hooks";
import { EDITS, type EditName } from "skerry/internal";
import { SIDES } from "../../files/planes.js";
import { dragged, hasOneSide, hasThreshold, isLocal, lineOf, METHODS, type Rule } from "../../settings/objects.js";
import { VOXEL_NEIGHBOURS } from "../../settings/recipe.js";
import { lines } from "../../state/drawn.js";
import { changeDistance, changeObjects, changeTool, recipe } from "../../state/lab.js";
import { TOOLS } from "../../tools/index.js";
import { Gradient } from "../../tools/objects/Gradient.js";
import { Brush, EditList, HandTool } from "../../tools/objects/hand/EditList.js";
import { hasBrush } from "../../tools/objects/hand/line.js";
import { Choice, NumberField } from "../../widgets/fields.js";
import { HAND } from "../../words/hand.js";
import { TEXT } from "../../words/text.js";
import { VOLUME } from "../../words/volume.js";
import { FinestFill } from "./FinestFill.js";
import { forgetLine } from "./hand.js";
import { closeVolume, coverPage, openVolume, refresh } from "./run.js";
import { Slice } from "./Slice.js";
import { saveVolume, type VolumeSave } from "./save.js";
import "./style.css";
import {
  changeVolume,
  connectivity,
  edits,
  type Held,
  hand,
  held,
  isBusy,
  KINDS,
  type Kind,
  kindNow,
  measured,
  type Point,
  point,
  type Result,
  refused,
  result,
  seed,
  seen,
  shades,
  tolerance,
} from "./state.js";

/** Files of each kind of result. */
const SAVES: Readonly<Record<Kind, readonly VolumeSave[]>> = {
  objects: ["table", "labels", "mask", "recipe"],
  fill: ["mask", "recipe"],
  distance: ["distances", "recipe"],
};
/** Rows of the table. */
const MOST_ROWS = 100;
const shown = (value: number, digits = 4): string => String(Number(value.toPrecision(digits)));

/** The point: where it lies in the patient or the volume, and what is there. */
function Reading({ volume }: { volume: Held }) {
  const { opened, sizes, planes } = volume;
  const { space, data } = opened;
  const [x, y, z] = point.value;
  const at = x + sizes[0] * (y + sizes[1] * z);
  const isPatient = planes[0].name === "axial";
  const world = space.toWorld && worldAt(space.toWorld, [x, y, z]);
  const places = world?.map((value, i) =>
    isPatient ? `${SIDES[i][value < 0 ? 0 : 1]} ${Math.abs(value).toFixed(1)}` : value.toFixed(2),
  );
  const layer = seen.value?.planes[2]?.[y * sizes[0] + x];
  const unit = volume.unit ?? "px";
  const over =
    layer === undefined || (seen.value?.kind === "labels" && layer === 0)
      ? ""
      : seen.value?.kind === "labels"
        ? `#${layer}`
        : Number.isFinite(layer)
          ? `${shown(layer)} ${unit}`
          : "∞";
  return (
    <p class="reading" data-testid="reading">
      {[`${x}, ${y}, ${z}`, places && `${places.join(" ")} ${space.axes[0].unit ?? ""}`, shown(data[at], 6), over]
        .filter(Boolean)
        .join(" · ")}
    </p>
  );
}

/** The large number of a result, and what it counts. */
function headlineOf(found: Result, { unit, sides }: Held): readonly [number: string, of: string] {
  const { kind, components, farthest } = found;
  if (kind === "distance") return [shown(farthest), TEXT.distance.farthest(unit ?? "px")];
  if (kind === "objects") return [components.count.toLocaleString("en"), TEXT.objects(components.count)];
  if (unit === undefined) return [components.foreground.toLocaleString("en"), VOLUME.voxels];
  const [x, y, z] = sides;
  return [(components.foreground * x * y * z).toLocaleString("en", { maximumFractionDigits: 2 }), `${unit}³`];
}

function Headline({ found, volume }: { found: Result | undefined; volume: Held }) {
  // A fill begins with a press.
  const isAwaited = kindNow() === "fill" && !seed.value;
  const [number, of] = found ? headlineOf(found, volume) : [isAwaited ? "–" : "…", ""];
  const { threshold } = found?.chosen ?? {};
  const facts = found && [
    ...(threshold === undefined ? [] : [VOLUME.threshold(threshold)]),
    VOLUME.milliseconds(found.milliseconds),
  ];
  return (
    <p class={isBusy.value ? "numbers stale" : "numbers"} aria-live="polite">
      <strong data-testid="volumeCount">{number}</strong>
      <span>{of}</span>
      <span>{facts?.join(", ")}</span>
    </p>
  );
}

/** Rules that need no second threshold. */
const RULES: readonly Rule[] = ["auto", "bright", "dark", "nonzero", "value"];

function Settings({ volume }: { volume: Held }) {
  const { objects, distance } = recipe.value;
  const kind = kindNow();
  const { rule, method, minArea } = objects;
  const [low, high] = shades.value;
  const { chosen } = result.value ?? {};
  /** Drags of the threshold so far: each is one step of undo. */
  const drags = useRef(0);
  const isDerived = objects.gradient !== 0;
  const isWhole = !isDerived && !(volume.opened.data instanceof Float32Array);
  const line = lineOf(objects, chosen, isWhole);
  const setThreshold = (value: number, gesture?: string): void =>
    changeObjects({ threshold: value, ...dragged(objects, chosen) }, gesture ? { gesture } : {});
  return (
    <div class="fields">
      {kind !== "fill" && (
        <Choice
          {...{ name: "rule", label: TEXT.rule, value: rule }}
          options={[...new Set([...RULES, rule])].map((name) => [name, TEXT.rules[name]] as const)}
          change={(value) => changeObjects({ rule: value })}
        />
      )}
      {kind !== "fill" && hasOneSide(rule) && (
        <>
          <Choice
            {...{ name: "method", label: VOLUME.method, value: method }}
            options={METHODS.map((name) => [name, TEXT.method(name, undefined)] as const)}
            change={(value) => changeObjects({ method: value })}
          />
          {!isLocal(method) && (
            <>
              <input
                type="range"
                name="thresholdSlider"
                aria-label={TEXT.threshold}
                min={isDerived ? 0 : volume.low}
                max={isDerived ? (volume.high - volume.low) / 2 : volume.high}
                step={isWhole ? 1 : "any"}
                value={line}
                onInput={(event) => setThreshold(event.currentTarget.valueAsNumber, `volume ${drags.current}`)}
                onChange={() => {
                  drags.current++;
                }}
              />
              <NumberField
                {...{ name: "threshold", label: TEXT.threshold, value: line, step: "any", least: -3e38 }}
                change={setThreshold}
              />
            </>
          )}
        </>
      )}
      {kind !== "fill" && hasThreshold(rule) && <Gradient />}
      {kind !== "fill" && (
        <NumberField
          {...{ name: "minArea", label: TEXT.minArea, value: minArea }}
          change={(value) => changeObjects({ minArea: Math.round(value) })}
        />
      )}
      {kind === "fill" && (
        <NumberField
          {...{ name: "tolerance", label: VOLUME.tolerance, value: tolerance.value, step: "any" }}
          change={(value) => {
            changeVolume({ tolerance: value });
          }}
        />
      )}
      {kind === "distance" && (
        <NumberField
          {...{
            name: "max",
            label: TEXT.distance.max(volume.unit ?? "px"),
            value: distance.max,
            step: "any",
            none: TEXT.none,
          }}
          change={(value) => changeDistance({ max: value })}
        />
      )}
      {kind === "distance" && (
        <NumberField
          {...{ name: "lines", label: TEXT.distance.lines, value: lines.value, step: "any", none: TEXT.none }}
          change={(value) => {
            lines.value = value;
          }}
        />
      )}
      {kind !== "distance" && (
        <Choice
          {...{ name: "connectivity", label: VOLUME.neighbours, value: connectivity.value }}
          options={VOXEL_NEIGHBOURS.map((count) => [count, String(count)] as const)}
          change={(value) => {
            changeVolume({ connectivity: value });
          }}
        />
      )}
      <NumberField
        {...{ name: "black", label: VOLUME.black, value: Number(low.toPrecision(6)), step: "any", least: -3e38 }}
        change={(value) => {
          shades.value = [value, Math.max(value, high)];
        }}
      />
      <NumberField
        {...{ name: "white", label: VOLUME.white, value: Number(high.toPrecision(6)), step: "any", least: -3e38 }}
        change={(value) => {
          shades.value = [Math.min(low, value), value];
        }}
      />
    </div>
  );
}

/** Corrections by hand, in the plane along z. */
function Corrections({ found, volume }: { found: Result | undefined; volume: Held }) {
  const plane = volume.planes.find(({ through }) => through === 2);
  const choose = (name: EditName | undefined): void => {
    forgetLine();
    hand.value = name;
  };
  return (
    <>
      <fieldset class="chips hands">
        <legend>{HAND.titleIn(plane ? VOLUME.planes[plane.name] : "")}</legend>
        <button
          type="button"
          class="chip"
          title={HAND.moveTip}
          aria-pressed={!hand.value}
          onClick={() => choose(undefined)}
        >
          {HAND.move}
        </button>
        {(Object.keys(EDITS) as EditName[]).map((name) => (
          <HandTool key={name} of="volume" name={name} isChosen={hand.value === name} choose={() => choose(name)} />
        ))}
        {hasBrush(hand.value) && <Brush />}
      </fieldset>
      <EditList
        edits={edits.value}
        idle={found?.idle}
        show={(place) => {
          point.value = place as Point;
        }}
        change={(next) => changeVolume({ edits: next })}
      />
    </>
  );
}

/** The largest objects; a row moves the planes to its object. */
function Table({ volume }: { volume: Held }) {
  const { area, centroid } = measured.value ?? {};
  if (!area || !centroid || area.length === 0) return null;
  const order = Array.from(area.keys()).sort((a, b) => area[b] - area[a]);
  const rows = order.slice(0, MOST_ROWS);
  const unit = volume.unit === undefined ? VOLUME.voxels : `${volume.unit}³`;
  const go = (i: number): void => {
    const place = [0, 1, 2].map((axis) => {
      const side = volume.unit === undefined ? 1 : volume.sides[axis];
      return Math.max(0, Math.min(volume.sizes[axis] - 1, Math.round(centroid[3 * i + axis] / side)));
    });
    point.value = place as unknown as Point;
  };
  return (
    <div class="found">
      <table>
        <caption>{VOLUME.biggest(rows.length, order.length)}</caption>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">{VOLUME.volume(unit)}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((i) => (
            <tr key={i}>
              <td>
                <button type="button" onClick={() => go(i)}>
                  {i + 1}
                </button>
              </td>
              <td>{shown(area[i], 6)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Volume() {
  useEffect(() => {
    const controller = new AbortController();
    coverPage(true);
    void openVolume(controller.signal);
    return () => {
      controller.abort();
      closeVolume();
      coverPage(false);
    };
  }, []);
  useEffect(
    () =>
      effect(() => {
        if (!held.value) return;
        // These are what a result, and its planes, follow from.
        void [recipe.value, connectivity.value, seed.value, tolerance.value, point.value, lines.value];
        untracked(refresh);
      }),
    [],
  );
  const { value: volume } = held;
  const kind = kindNow();
  const { value: found } = result;
  if (refused.value && !volume) return <p role="alert">{refused.value}</p>;
  if (!volume) return <p role="status">{VOLUME.opening}</p>;
  return (
    <div class="volume">
      <div class="planes">
        {volume.planes.map((plane) => (
          <Slice key={plane.name} volume={volume} plane={plane} isSeeding={kind === "fill"} />
        ))}
      </div>
      <div class="side">
        <nav class="tabs" aria-label={TEXT.tools}>
          {KINDS.map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={kind === name}
              onClick={() => changeTool(name, TOOLS[name].divider)}
            >
              {VOLUME.kinds[name]}
            </button>
          ))}
        </nav>
        <Headline found={found} volume={volume} />
        {volume.opened.notes.map((note) => (
          <p key={note}>{note}.</p>
        ))}
        {refused.value && <p role="alert">{refused.value}</p>}
        {kind === "fill" && !seed.value && <p>{VOLUME.seed}</p>}
        <Settings volume={volume} />
        {kind === "objects" && <Corrections found={found} volume={volume} />}
        {kind === "fill" && found && <FinestFill volume={volume} />}
        <Reading volume={volume} />
        <p class="saves">
          {found &&
            SAVES[found.kind].map((what) => (
              <button type="button" key={what} data-volume-save={what} onClick={() => void saveVolume(what)}>
                {VOLUME.saves[what]}
              </button>
            ))}
        </p>
        {found && kind === "objects" && <Table volume={volume} />}
        <p class="hint">{VOLUME.hint}</p>
      </div>
    </div>
  );
}
