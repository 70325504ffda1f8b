import { expect, it } from 'vitest';
import { excessOf, parseHeldResources } from '../../../sandbox/runner/held-resources.ts';

const MB = 1024 * 1024;
const limits = { cpu: 1, memoryMb: 512, diskMb: 100 };
const quiet = { touchedBytes: 2000 * MB, sharedGrowthBytes: 0, spaceGoneBytes: 0 };
const held = (values: Partial<ReturnType<typeof parseHeldResources>>) => ({
  ...parseHeldResources('S 0 0 0 0 0 0 0 0 0'),
  ...values,
});

it('a removed file of unknown size counts by the free space that is gone, and nothing else does', () => {
  const gone = { ...quiet, spaceGoneBytes: 300 * MB };
  expect(excessOf(held({ diskBytes: MB, unsized: 1 }), gone, limits)).toMatchObject({ limit: 'disk' });
  // Others use the disk too.
  expect(excessOf(held({ diskBytes: MB }), gone, limits)).toBe(null);
  expect(excessOf(held({ diskBytes: MB, unsized: 3 }), { ...quiet, spaceGoneBytes: 90 * MB }, limits)).toBe(null);
});

it("shared memory with few mapped pages counts by the machine's growth, as far as it was touched", () => {
  const grown = { ...quiet, sharedGrowthBytes: 600 * MB };
  expect(excessOf(held({ sharedBytes: 4096 }), grown, limits)).toMatchObject({ limit: 'memory' });
  expect(excessOf(held({ sharedBytes: 4096 }), { ...grown, touchedBytes: 100 * MB }, limits)).toBe(null);
  // Without any it is that of others.
  expect(excessOf(held({}), grown, limits)).toBe(null);
});

it('a run may have eight terminals of the machine', () => {
  const withTerminals = (count: number) => parseHeldResources(`S 0 0 0 0 0 0 0 0 ${count}`);
  expect(excessOf(withTerminals(8), quiet, limits)).toBe(null);
  expect(excessOf(withTerminals(9), quiet, limits)?.words).toBe('more than 8 terminals were opened');
});
