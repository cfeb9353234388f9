/** The licences of what was bundled, by the names of the bundled files, as one text. */
export function licensesOf(inputs: readonly string[]): string;
