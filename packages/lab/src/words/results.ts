// Texts of the results of objects and of the offers of other settings, loaded with their panels.

export const RESULTS = {
  property: "Property",
  least: (name: string) => `Least ${name}`,
  most: (name: string) => `Greatest ${name}`,
  all: "All",
  filter: "Filter and plot",
  selected: (count: number) => `${count} selected`,
  remove: "Delete",
  cutOut: "Cut out as PNG",
  objectOf: (label: number) => `Object ${label}`,
  copied: (rows: number) => `Copied ${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`,
  chooseColumns: "Columns",
  copyTable: "Copy table",
  summary: { mean: "mean", sum: "sum" },
  table: "Objects",
  value: "value",
  suggested: "Other settings",
  automatic: "Auto",
  automaticTip: "Takes the settings on which most ways to find objects agree",
  suggestion: (count: number, changes: string) =>
    `${count.toLocaleString("en")} ${count === 1 ? "object" : "objects"} with ${changes}`,
  suggestedAsIs: "the automatic threshold alone",
};
