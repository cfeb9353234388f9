// Texts of the comparison of devices, loaded where there is a GPU.

export const DEVICES = {
  same: (cpu: number, gpu: number) => `Same bits: WebAssembly ${cpu.toFixed(1)} ms, WebGPU ${gpu.toFixed(1)} ms`,
  differ: "WebAssembly and WebGPU differ; please report it",
  checking: (done: number, count: number) => `${done} of ${count} cases`,
  checkGpu: "Check my GPU",
  compareDevices: "Run both",
};
