// The time from the user's input to the draw that shows the result. Only pages of the bench (`?bench`) measure it, because waiting
// until software has drawn a result holds up the page's thread.

/** Whether the address asks for measurements. */
export const isBench = new URLSearchParams(globalThis.location?.search).has("bench");

let since: number | undefined;

/** The bench measures from here to the end of the draw that shows the result. */
export const measureFrom = (time: number): void => {
  if (isBench) since = time;
};

/** The time of the newest change without a result, on a page of the bench. */
export const begun = (): number | undefined => since;

export const ended = (): void => {
  since = undefined;
};
