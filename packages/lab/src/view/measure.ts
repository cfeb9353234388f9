// The time from the user's input to the draw that shows the result, for the bench.

let since: number | undefined;

/** The bench measures from here to the end of the draw that shows the result. */
export const measureFrom = (time: number): void => {
  since = time;
};

/** The time of the newest change without a result. */
export const begun = (): number | undefined => since;

export const ended = (): void => {
  since = undefined;
};
