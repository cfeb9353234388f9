/** An answer beside the truth. */
export interface Judgement {
  count: number;
  met: number;
  isGood: boolean;
}
/** The answers for a picture; without `plain` the picture is not there. */
export interface Row {
  name: string;
  half: "build" | "judge";
  truth?: number;
  plain?: Judgement;
  auto?: Judgement;
  offers?: Judgement[];
  flags?: string;
}
export function judge(
  places: readonly (readonly [number, number])[],
  labels: { data: Uint32Array; width: number; height: number; count: number },
): Judgement;
// biome-ignore lint/suspicious/noExplicitAny: a row of the list
export function judgeAll(folders: readonly string[], wanted?: (row: any) => boolean): Promise<Row[]>;
export function totals(
  rows: readonly Row[],
): { half: string; pictures: number; plain: number; auto: number; "one of the offers": number }[];
