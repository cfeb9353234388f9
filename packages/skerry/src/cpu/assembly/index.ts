// Every kernel the workers may call, by the name they are called by. All state is behind pointers
// that the host hands in: several instances share one memory, so there are no mutable globals.

export { packRows } from "./mask";
export { matchRows } from "./match";
export { complementBits, copyBits, copyBytes, exportBits, fillBytes, orBits } from "./bits";
export { classesOf, countRows, joinStrips, labelStrip, numberComponents, prefixRows } from "./components";
export { search } from "./fill";
export { histogramRows } from "./histogram";
export { accumulateStrip, combineRegions, gatherRegions } from "./regions";
export { accumulateIntensity, combineIntensity, resetIntensity } from "./intensity";
export { expandRows, labelAt } from "./labels";
export { beginLevels, floodLevel } from "./levels";
export { emitRuns, countRunsByLabel, scatterRunsByLabel } from "./runs";
export { chooseComponents, chooseLabel, selectRows } from "./filter";
export { firstPixels, resolveClasses, spreadFirst } from "./classes";
