/** A long thin line: along its axis from `from` to `to`, across it at `at + slope · position`. */
export interface TracedLine {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly slope: number;
  readonly thickness: number;
  /** Where it lies across, at every position from its start: paper bends, and its rules with it. */
  readonly path: Float64Array;
}

/** A straight ruled line: along its axis from `from` to `to`; across it at `at + slope · position`. */
export interface RuledLine {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly slope: number;
  readonly thickness: number;
  /** How much darker than the paper it is, of 255; absent where it is not known. */
  readonly darkness?: number;
  /** Gaps between the pieces that it was joined from; absent where it is of one piece. */
  readonly breaks?: readonly Span[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}
