export interface EditDistances {
  /** To the whole of `target`. */
  readonly whole: number;
  /** To that prefix of `target` which is nearest: what a text cut off at its end should be compared with. */
  readonly prefix: number;
}

/** Levenshtein's distance from `source` to `target` and to the nearest prefix of `target`. */
export function editDistances(source: ArrayLike<unknown>, target: ArrayLike<unknown>): EditDistances {
  const columns = target.length;
  const row = new Uint16Array(columns + 1);
  for (let column = 0; column <= columns; column++) row[column] = column;
  for (let i = 1; i <= source.length; i++) {
    let diagonal = row[0]!;
    row[0] = i;
    for (let column = 1; column <= columns; column++) {
      const above = row[column]!;
      const replaced = source[i - 1] === target[column - 1] ? diagonal : diagonal + 1;
      row[column] = Math.min(replaced, above + 1, row[column - 1]! + 1);
      diagonal = above;
    }
  }
  let prefix = row[0]!;
  for (const distance of row) if (distance < prefix) prefix = distance;
  return { whole: row[columns]!, prefix };
}
