// The engines that are compared: names and options of `open()`.

const CPU = [
  { name: "1 thread", device: "cpu", threads: 1 },
  { name: "2 threads", device: "cpu", threads: 2 },
  { name: "3 threads", device: "cpu", threads: 3, mainThread: false },
  { name: "unshared", device: "cpu", shared: false },
];

const GPU = [
  { name: "gpu", device: "gpu", threads: 1 },
  { name: "gpu in strips", device: "gpu", threads: 1, bindingBytes: 65536 },
];

/** The engines of `cpu,gpu`. Without "cpu", the CPU engine of one thread remains as the reference. */
export function kindsOf(devices) {
  return [...(devices.includes("cpu") ? CPU : CPU.slice(0, 1)), ...(devices.includes("gpu") ? GPU : [])];
}
