import type { LevelDatabase, LevelWrite } from 'dynalite/db/index.js';

/** Keys before and after all others: no item has them. */
const ENDS: LevelWrite[] = ['\u0000', '\uffff'].map((key) => ({ type: 'del', key }));

/** A compaction reads and writes all that is stored. */
const MIN_PAUSE_MS = 50 * 60_000;

/**
 * LevelDB keeps removed values in its log and tables until it rewrites these. Call this before the first write.
 * @returns rewrites the files if values were removed since it last did, about once an hour
 */
export function compaction(db: LevelDatabase): (nowMs: number) => Promise<void> {
  const { compactRange } = db;
  // In memory there is nothing to compact.
  if (compactRange === undefined) return async () => undefined;
  let hasRemoved = true;
  let lastMs = 0;
  const batch = db.batch.bind(db);
  db.batch = (writes, ...more) => {
    hasRemoved ||= writes.some(({ type }) => type === 'del');
    return batch(writes, ...more);
  };
  return async (nowMs) => {
    if (!hasRemoved || nowMs < lastMs + MIN_PAUSE_MS) return;
    [hasRemoved, lastMs] = [false, nowMs];
    // The first round moves the log into tables as it is. In the second one the two ends overlap all of them, so that all are rewritten.
    for (let round = 1; round <= 2; round++) {
      await batch([...ENDS]);
      await compactRange.call(db, ENDS[0]!.key, ENDS[1]!.key);
    }
  };
}
