// Texts of the comparison of devices, loaded where there is a GPU.

const megapixels = (pixels: number): string => `${(pixels / 1e6).toFixed(1)} Mpx`;

export const DEVICES = {
  /** For example "Auto: GPU for components from 1.3 Mpx, CPU for distance". */
  from: (speeds: Readonly<Record<string, number>>) => {
    const texts = Object.entries(speeds).map(([work, pixels]) =>
      Number.isFinite(pixels) ? `GPU for ${work} from ${megapixels(pixels)}` : `CPU for ${work}`,
    );
    return texts.length > 0 ? `Auto: ${texts.join(", ")}` : "";
  },
  same: (cpu: number, gpu: number) => `Same bits: WebAssembly ${cpu.toFixed(1)} ms, WebGPU ${gpu.toFixed(1)} ms`,
  differ: "WebAssembly and WebGPU differ; please report it",
  checking: (done: number, count: number) => `${done} of ${count} cases`,
  checkGpu: "Check my GPU",
  compareDevices: "Run both",
};
