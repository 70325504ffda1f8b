const KST_OFFSET_MS = 9 * 60 * 60_000;

/** The ISO date in Korea, where prices come into force at midnight; there is no summer time. */
export function koreanDate(epochMs: number): string {
  return new Date(epochMs + KST_OFFSET_MS).toISOString().slice(0, 10);
}
