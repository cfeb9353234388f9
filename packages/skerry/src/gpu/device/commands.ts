// Kernels by name. A kernel is compiled once per set of overrides, and bound by the names that its source declares.
// Dispatches are recorded as commands, which are encoded together on submission.

import { wgsl } from "../../generated/wgsl.js";
import type { Device } from "./device.js";
import { BUFFER_USAGE, SHADER_STAGE } from "./flags.js";
import type { Profile } from "./profile.js";

export type KernelName = keyof typeof wgsl;

/** Values of a kernel's `override`s. */
export type Overrides = Record<string, number | boolean>;

/** A buffer, or a part of one: `offset` must be a multiple of 256. */
export type Binding = GPUBuffer | { readonly buffer: GPUBuffer; readonly offset: number; readonly size: number };

interface Kernel {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
}

/** Bytes of the arena per uniform binding: every device accepts this alignment. */
const SLOT_BYTES = 256;
const ARENA_SLOTS = 256;

/** The kernels of each device. Engines on the same device, e.g. a page's, share compiled kernels. */
const compiled = new WeakMap<GPUDevice, Kernels>();

/** Compiles kernels on first use. */
export class Kernels {
  /** The kernels of a device. */
  static of(device: GPUDevice): Kernels {
    const kernels = compiled.get(device) ?? new Kernels(device);
    compiled.set(device, kernels);
    return kernels;
  }

  readonly #device: GPUDevice;
  readonly #kernels = new Map<string, Promise<Kernel>>();
  readonly #modules = new Map<KernelName, { module: GPUShaderModule; layout: GPUBindGroupLayout }>();

  private constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Returns a kernel. It is compiled asynchronously on first use. */
  get(name: KernelName, constants: Overrides): Promise<Kernel> {
    const key = `${name} ${JSON.stringify(constants)}`;
    const kernel = this.#kernels.get(key) ?? this.#compile(name, constants, key);
    this.#kernels.set(key, kernel);
    return kernel;
  }

  async #compile(name: KernelName, constants: Overrides, label: string): Promise<Kernel> {
    const { module, layout } = this.#module(name);
    const pipeline = await this.#device.createComputePipelineAsync({
      label,
      layout: this.#device.createPipelineLayout({ label, bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: "main", constants: numbersOf(constants) },
    });
    return { pipeline, layout };
  }

  #module(name: KernelName): { module: GPUShaderModule; layout: GPUBindGroupLayout } {
    const known = this.#modules.get(name);
    if (known) return known;
    const { code, bindings } = wgsl[name];
    const entries = bindings.map(({ binding, access }): GPUBindGroupLayoutEntry => {
      const type = access === "uniform" ? "uniform" : access === "read" ? "read-only-storage" : "storage";
      // Parameters differ from dispatch to dispatch, so they are bound by an offset that is given last.
      const buffer = { type, hasDynamicOffset: access === "uniform" } as const;
      return { binding, visibility: SHADER_STAGE.COMPUTE, buffer };
    });
    const loaded = {
      module: this.#device.createShaderModule({ label: name, code }),
      layout: this.#device.createBindGroupLayout({ label: name, entries }),
    };
    this.#modules.set(name, loaded);
    return loaded;
  }
}

/** WebGPU takes a boolean override as 0 or 1. */
function numbersOf(constants: Overrides): Record<string, number> {
  return Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, Number(value)]));
}

interface Dispatch {
  readonly kind: "dispatch";
  readonly name: KernelName;
  readonly constants: Overrides;
  readonly bindings: Record<string, Binding>;
  readonly parameters: Record<string, number>;
  readonly groups: number;
}

type Step =
  | { readonly kind: "stage"; readonly stage: string; readonly bytes: number }
  | Dispatch
  | { readonly kind: "encode"; readonly encode: (encoder: GPUCommandEncoder) => void };

/** Records work for the device. Nothing runs before `submit()`. */
export class Commands {
  readonly #device: Device;
  readonly #kernels: Kernels;
  readonly #profile: Profile | undefined;
  readonly #arena: GPUBuffer;
  #steps: Step[] = [];

  constructor(device: Device, kernels: Kernels, arena: GPUBuffer, profile?: Profile) {
    this.#device = device;
    this.#kernels = kernels;
    this.#profile = profile;
    this.#arena = arena;
  }

  /** Memory for the parameters of the dispatches of one submission. */
  static arena(device: GPUDevice): GPUBuffer {
    return device.createBuffer({
      label: "parameters",
      size: SLOT_BYTES * ARENA_SLOTS,
      usage: BUFFER_USAGE.UNIFORM | BUFFER_USAGE.COPY_DST,
    });
  }

  /** Begins a stage. Later dispatches are timed together as this stage, which moves `bytes` bytes. */
  stage(stage: string, bytes: number): void {
    this.#steps.push({ kind: "stage", stage, bytes });
  }

  /** Records `groups` workgroups of a kernel, with every binding and parameter that the kernel declares. */
  dispatch(
    name: KernelName,
    groups: number,
    bindings: Record<string, Binding>,
    parameters: Record<string, number> = {},
    constants: Overrides = {},
  ): void {
    if (groups > 0) this.#steps.push({ kind: "dispatch", name, constants, bindings, parameters, groups });
  }

  clear(buffer: GPUBuffer, offset = 0, size = buffer.size - offset): void {
    this.#steps.push({ kind: "encode", encode: (encoder) => encoder.clearBuffer(buffer, offset, size) });
  }

  copy(from: GPUBuffer, fromOffset: number, to: GPUBuffer, toOffset: number, bytes: number): void {
    if (bytes === 0) return;
    this.#steps.push({
      kind: "encode",
      encode: (encoder) => encoder.copyBufferToBuffer(from, fromOffset, to, toOffset, bytes),
    });
  }

  /** Records any other command of an encoder. */
  encode(encode: (encoder: GPUCommandEncoder) => void): void {
    this.#steps.push({ kind: "encode", encode });
  }

  /** Submits the recorded commands. They run in order, after all earlier submissions. */
  async submit(): Promise<void> {
    while (this.#steps.length > 0) await this.#submitSome();
  }

  async #submitSome(): Promise<void> {
    const steps = this.#take();
    const kernels = await this.#device.orLost(
      Promise.all(
        steps.map((step) => (step.kind === "dispatch" ? this.#kernels.get(step.name, step.constants) : undefined)),
      ),
    );
    this.#device.watch(() => this.#encode(steps, kernels));
  }

  #encode(steps: readonly Step[], kernels: readonly (Kernel | undefined)[]): void {
    const { gpu } = this.#device;
    const encoder = gpu.createCommandEncoder({ label: "skerry" });
    const slots = new Uint32Array((SLOT_BYTES / 4) * steps.length);
    const groups = new Map<string, GPUBindGroup>();
    let slot = 0;
    let pass: GPUComputePassEncoder | undefined;
    let stage: { stage: string; bytes: number } = { stage: "work", bytes: 0 };
    const end = (): void => {
      pass?.end();
      pass = undefined;
    };
    for (const [index, step] of steps.entries()) {
      if (step.kind === "stage") {
        end();
        stage = step;
      } else if (step.kind === "encode") {
        end();
        step.encode(encoder);
      } else {
        if (!pass) {
          pass = encoder.beginComputePass(this.#profile?.pass(stage.stage, stage.bytes) ?? { label: stage.stage });
          stage = { ...stage, bytes: 0 };
        }
        const kernel = kernels[index] as Kernel;
        const { parameters } = wgsl[step.name];
        const offsets = parameters.length > 0 ? [slot * SLOT_BYTES] : [];
        if (parameters.length > 0) {
          parameters.forEach((name, i) => {
            slots[(slot * SLOT_BYTES) / 4 + i] = word(given(step.parameters, name, step.name), name);
          });
          slot++;
        }
        pass.setPipeline(kernel.pipeline);
        pass.setBindGroup(0, this.#group(step, kernel, groups), offsets);
        const [x, y] = grid(step.groups, gpu.limits.maxComputeWorkgroupsPerDimension);
        pass.dispatchWorkgroups(x, y);
      }
    }
    end();
    if (slot > 0) gpu.queue.writeBuffer(this.#arena, 0, slots, 0, (slot * SLOT_BYTES) / 4);
    gpu.queue.submit([encoder.finish()]);
  }

  /** The buffers of a dispatch, bound once for all dispatches of a submission that have the same ones. */
  #group(step: Dispatch, { layout }: Kernel, groups: Map<string, GPUBindGroup>): GPUBindGroup {
    const { name } = step;
    const entries = wgsl[name].bindings.map(({ name: bound, binding, access }): GPUBindGroupEntry => {
      if (access === "uniform") return { binding, resource: { buffer: this.#arena, offset: 0, size: SLOT_BYTES } };
      const resource = given(step.bindings, bound, name);
      return { binding, resource: "buffer" in resource ? resource : { buffer: resource } };
    });
    const key = [name, ...entries.map(({ resource }) => placeOf(resource as GPUBufferBinding))].join(" ");
    const group = groups.get(key) ?? this.#device.gpu.createBindGroup({ label: name, layout, entries });
    groups.set(key, group);
    return group;
  }

  /** Takes as many steps as the arena has slots for dispatches. */
  #take(): Step[] {
    let dispatches = 0;
    let length = 0;
    for (const step of this.#steps) {
      if (step.kind === "dispatch" && ++dispatches > ARENA_SLOTS) break;
      length++;
    }
    return this.#steps.splice(0, length);
  }
}

function given<T>(values: Record<string, T>, name: string, kernel: string): T {
  const value = values[name];
  if (value === undefined) throw new Error(`the kernel ${kernel} was given no ${name}`);
  return value;
}

/** Numbers by which buffers are told apart. */
const numbers = new WeakMap<GPUBuffer, number>();
let known = 0;

/** The bytes of a binding, as a name. */
function placeOf({ buffer, offset = 0, size }: GPUBufferBinding): string {
  const number = numbers.get(buffer) ?? known++;
  numbers.set(buffer, number);
  return `${number}:${offset}:${size ?? "all"}`;
}

/** A parameter as 32 bits; negative ones are i32. Throws for larger ones, which must not be cut off. */
function word(value: number, name: string): number {
  if (value >= -(2 ** 31) && value < 2 ** 32) return value >>> 0;
  throw new Error(`the parameter ${name} is ${value}, which takes more than 32 bits`);
}

/** Arranges workgroups in two dimensions. Kernels number them row by row, and skip numbers past the last one. */
function grid(groups: number, most: number): [number, number] {
  if (groups <= most) return [groups, 1];
  const y = Math.ceil(groups / most);
  return [Math.ceil(groups / y), y];
}
