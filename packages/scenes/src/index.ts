// Rendered pictures and seeded calls, the same on every machine: inputs for benches, tests, and the comparison of devices.

export { type Agreement, agreementOf, digestOf, type Runner } from "./agreement.js";
export { type Case, caseOf } from "./cases.js";
export * from "./head.js";
export * from "./landscape.js";
export * from "./patterns.js";
export { random } from "./random.js";
