/** Time that stands still until a test moves it. */
export interface TestClock {
  now(): number;
  advance(seconds: number): void;
}

export function testClock(): TestClock {
  let nowMs = Date.parse('2026-11-21T03:00:00Z');
  return {
    now: () => nowMs,
    advance(seconds) {
      nowMs += seconds * 1000;
    },
  };
}
