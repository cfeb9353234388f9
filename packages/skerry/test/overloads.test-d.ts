// What overloads promise, checked by `npm run typecheck`: where results go decides what a call resolves to.

import type {
  Classes,
  Components,
  DistanceMap,
  Engine,
  Labels,
  LabelsBuffer,
  Mask,
  MaskBuffer,
  Raster,
  Segmentation,
  Sink,
} from "skerry";
import { expectTypeOf } from "vitest";

declare const engine: Engine;
declare const components: Components;
declare const sink: Sink;
declare const gpuBuffer: GPUBuffer;
declare const raster: Raster;
declare const bytes: Sink<Uint8Array>;
declare const floats: Sink<Float32Array>;
const window = { x: 0, y: 0, width: 4, height: 4 };
const mask: Mask = { bits: new Uint32Array(4), width: 4, height: 4 };

expectTypeOf(components.labels()).resolves.toEqualTypeOf<Labels>();
expectTypeOf(components.labels({ into: new Uint32Array(16), window })).resolves.toEqualTypeOf<Labels>();
expectTypeOf(components.labels({ into: sink })).resolves.toEqualTypeOf<void>();
expectTypeOf(components.labels({ as: "buffer", window })).resolves.toEqualTypeOf<LabelsBuffer>();
expectTypeOf(components.labels({ as: "buffer", into: gpuBuffer })).resolves.toEqualTypeOf<LabelsBuffer>();
// @ts-expect-error a GPUBuffer is a result's place only with { as: "buffer" }
components.labels({ into: gpuBuffer });
// @ts-expect-error a Sink takes whole rows, no window
components.labels({ into: sink, window });
// @ts-expect-error labels are u32
components.labels({ into: new Uint16Array(16) });

expectTypeOf(components.mask()).resolves.toEqualTypeOf<Mask & { depth: number }>();
expectTypeOf(components.mask({ polarity: "dark", as: "buffer" })).resolves.toEqualTypeOf<MaskBuffer>();
// @ts-expect-error masks in buffers are whole
components.mask({ as: "buffer", window });

expectTypeOf(engine.distance(mask)).resolves.toEqualTypeOf<DistanceMap>();
expectTypeOf(engine.distance(mask, { into: floats })).resolves.toEqualTypeOf<void>();
expectTypeOf(engine.distance(mask, { as: "buffer" })).resolves.toHaveProperty("buffer");

expectTypeOf(engine.kmeans(raster, { k: 3 })).resolves.toEqualTypeOf<Segmentation>();
expectTypeOf(engine.kmeans(raster, { k: 3, into: bytes })).resolves.toEqualTypeOf<Classes>();
