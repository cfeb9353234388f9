// Every kernel the workers may call, by the name they are called by. All state is behind pointers
// that the host hands in: several instances share one memory, so there are no mutable globals.

export { packRows } from "./mask";
export { matchRows } from "./match";
export { andBits, complementBits, copyBits, copyBytes, exportBits, fillBytes, orBits } from "./bits";
export { classesOf, countRows, joinStrips, labelStrip, numberComponents, prefixRows, sumRows } from "./components";
export { search } from "./fill";
export { histogramRows } from "./histogram";
export { accumulateStrip, combineRegions, gatherRegions } from "./regions";
export { accumulateIntensity, combineIntensity, resetIntensity } from "./intensity";
export { expandRows, labelAt } from "./labels";
export { beginLevels, floodLevel } from "./levels";
export { emitRuns, countRunsByLabel, scatterRunsByLabel } from "./runs";
export { chooseComponents, chooseLabel, chooseLabels, selectRows } from "./filter";
export { emitValues, firstValues, gatherValues, linkRows } from "./links";
export { accumulateSolids, combineSolids } from "./solids";
export { surfaceRows } from "./surface";
export { firstPixels, resolveClasses, spreadFirst } from "./classes";
export { columns } from "./columns";
export { closeRows, distanceRows, everyCell, nearestInByte, pickEighths } from "./distance";
export { distanceValues } from "./values";
export { channelRows } from "./channel";
export { labelsOfWindow } from "./window";
export { countColours, emitColours, lookUpColours, nameColours, sizeCells } from "./colours";
export { boxColours, placeColours } from "./points";
export { assignColours } from "./assign";
export { centresStay, meanCentres, medianCentres, refillCentres, sumColours } from "./centres";
export { assessColours, silhouetteColours } from "./assess";
export { plantCentre } from "./seeds";

/** Where static data ends. Behind it, at the end of the first page, lie the workers' blocks of arguments. */
export const heapBase: usize = __heap_base;
