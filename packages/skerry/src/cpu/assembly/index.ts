// The kernels that workers call by name. The host passes pointers to all state: several instances share one memory, so
// there are no mutable globals.

export { packRows } from "./mask-pack";
export { matchRows } from "./fill-match";
export { andBits, complementBits, copyBits, copyBytes, exportBits, fillBytes, orBits } from "./bits";
export { joinStrips, numberComponents } from "./components-join-strips";
export { labelStrip, polaritiesOf } from "./components-label";
export { labelPairs } from "./components-label-pairs";
export { countRows, prefixRows, sumRows } from "./components-rows";
export { search } from "./fill-search";
export { histogramRows } from "./histogram";
export { accumulateStrip, combineRegions, gatherRegions } from "./regions-2d";
export { accumulateIntensity, combineIntensity, resetIntensity } from "./regions-intensity";
export { expandRows, labelAt } from "./labels-expand";
export { beginLevels, countLevels, differRows, floodLevel, leastLevels } from "./wand";
export { emitRuns, countRunsByLabel, scatterRunsByLabel } from "./runs";
export { chooseComponents, chooseLabel, chooseLabels, selectRows } from "./filter-choose";
export { listMarks, markValues, rangeOfValues, rankMarks, rankValues } from "./components-labelled";
export { orderRuns, renumberRuns, repeatLabels } from "./components-labelled";
export { emitValues, firstValues, gatherValues, linkRows } from "./components-linked";
export { measureContours } from "./regions-contour";
export { measureHulls, mostRows } from "./regions-hull";
export { measureSolidHulls } from "./regions-hull-3d";
export { measureExtremes, measureValues } from "./regions-values";
export { accumulateSolids, combineSolids } from "./regions-3d";
export { holesOfSlices, turnBits } from "./mask-slices";
export { surfaceRows } from "./mask-surface";
export { firstPixels, resolveClasses, spreadFirst } from "./filter-classes";
export { columns } from "./distance-columns";
export { closeRows, distanceRows, everyCell, nearestInByte, pickEighths } from "./distance-rows";
export { costsToBits, distanceValues, takeLabels } from "./distance-values";
export { cropRows, farRows, nearRows, padRows } from "./morphology";
export { channelRows } from "./image-channel";
export { paintRows, recolourRows } from "./image-paint";
export { addSaddles, climb, collect, findSaddles, labelBasins, leadUp } from "./watershed";
export { listPeaks, mergeBasins, nameBasins, orderValues, sortSaddles } from "./watershed";
export { contrastRows } from "./image-contrast";
export { stainRows } from "./image-stains";
export { gradientRows } from "./gradient";
export { smoothLines, smoothRows } from "./smooth";
export { smoothBand, smoothSlices } from "./smooth-integers";
export { windowBytes } from "./window-bytes";
export { flattenFloats, windowRows } from "./window-sums";
export { labelsOfWindow } from "./labels-window";
export { traceOutlines } from "./outlines";
export { countCorners, fixCorners, markRings, simplifyRings } from "./outline-simplify";
export { clearOutsideClasses, gatherInside } from "./kmeans-colours";
export { countColours, emitColours, lookUpColours, nameColours, sizeCells } from "./kmeans-colours";
export { boxColours, placeColours } from "./kmeans-points";
export { assignColours } from "./kmeans-assign";
export { centresStay, meanCentres, medianCentres, refillCentres, sumColours } from "./kmeans-centres";
export { assessColours, silhouetteColours } from "./kmeans-assess";
export { plantCentre } from "./kmeans-init";

/** End of static data. The workers' argument records lie behind it, in the second half of the first page. */
export const heapBase: usize = __heap_base;
