import measured from './measured.json' with { type: 'json' };

/** Measured work of one invocation of a function; see `measure.ts`. */
export interface MeasuredFunction {
  /** Successful invocations that were measured. */
  readonly invocations: number;
  readonly cpuMs: number;
  /** Calls of AWS one after another. */
  readonly inTurn: number;
  readonly reads: number;
  readonly writes: number;
  readonly responseBytes: number;
  /** Calls of other services, by their names in `call-units.ts`. */
  readonly calls: Readonly<Record<string, number>>;
}

export const measuredFunctions: Readonly<Record<string, MeasuredFunction | undefined>> = measured;
