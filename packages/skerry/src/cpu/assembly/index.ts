// Every kernel the workers may call, by the name they are called by. All state is behind pointers
// that the host hands in: several instances share one memory, so there are no mutable globals.

export { packRows } from "./mask";
export { complementBits, copyBits, exportBits, orBits } from "./bits";
export { classesOf, countRows, joinStrips, labelStrip, numberComponents, prefixRows } from "./components";
export { histogramRows } from "./histogram";
export { accumulateStrip, combineRegions, gatherRegions } from "./regions";
export { accumulateIntensity, combineIntensity, resetIntensity } from "./intensity";
export { expandRows } from "./labels";
export { emitRuns, countRunsByLabel, scatterRunsByLabel } from "./runs";
export { chooseComponents, selectRows } from "./filter";
export { firstPixels, resolveClasses, spreadFirst } from "./classes";
