/** A step of the reader that a page can do without: it returns its value as it was, or corrected. */
export interface Pass<Value, Around = void> {
  /** Unique in its list; the function's own name, by which the ablation benchmark switches it off. */
  readonly name: string;
  /** The fault that it corrects. */
  readonly why: string;
  /** Passes of the same list that must have run before it. */
  readonly after?: readonly string[];
  readonly run: (value: Value, around: Around) => Value;
}

export function runPasses<Value, Around = void>(
  passes: readonly Pass<Value, Around>[],
  value: Value,
  ...around: Around extends void ? [] : [around: Around]
): Value {
  return passes.reduce((corrected, pass) => pass.run(corrected, around[0] as Around), value);
}
