import { describe, expect, it } from 'vitest';
import { EVIDENCE_PASSES } from '../../../../functions/extraction/domain/interpret/columns/evidence-passes.ts';
import { LIST_PASSES } from '../../../../functions/extraction/domain/interpret/page/list-passes.ts';
import { TABLE_PASSES } from '../../../../functions/extraction/domain/interpret/table-passes.ts';
import { type Pass, runPasses } from '../../../../functions/extraction/domain/pass.ts';

describe.each<[string, readonly Pick<Pass<never>, 'name' | 'after' | 'why'>[]]>([
  ['tables', TABLE_PASSES],
  ['evidence', EVIDENCE_PASSES],
  ['lists', LIST_PASSES],
])('the passes of %s', (_, passes) => {
  const names = passes.map(({ name }) => name);

  it('have different names', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(passes)('run $name behind all that it names', ({ name, after = [] }) => {
    expect(names.slice(0, names.indexOf(name))).toEqual(expect.arrayContaining([...after]));
  });
});

it('passes run in their order, each on what the one before returned', () => {
  const letter = (name: string): Pass<string, string> => ({ name, why: '', run: (text, mark) => text + name + mark });
  expect(runPasses([letter('a'), letter('b')], '', '.')).toBe('a.b.');
});
