import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { DIFY_CASES } from '../../helpers/workflows/dify-cases/cases.ts';
import type { Results } from '../../helpers/workflows/dify-engines.ts';
import { runInMemory, runsInMemory } from '../../helpers/workflows/dify-in-memory.ts';

const fixture = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../fixtures/dify/${name}`, import.meta.url), 'utf8'));

/** Results of Dify's own engine: `npm run bench graphon -- --python … --write` renews it. */
const { results: theirs } = (await fixture('graphon.json')) as { readonly results: Results };
/** Our results of cases that differ on purpose: docs/workflows/differences.md says why. */
const decided = (await fixture('differences.json')) as Results;

// The bench runs the others too, through the service.
const cases = DIFY_CASES.filter(runsInMemory);
const ours: Record<string, unknown> = {};

describe(`${cases.length} Dify files with one feature each`, () => {
  beforeAll(async () => {
    for (const each of cases) ours[each.name] = await runInMemory(each);
  });

  it('all have a result of Dify’s own engine, under a unique name', () => {
    expect(Object.keys(theirs).toSorted()).toEqual(DIFY_CASES.map(({ name }) => name).toSorted());
  });

  it('give what Dify’s own engine gives, unless it was decided otherwise', () => {
    const wanted = cases.map(({ name }) => [name, decided[name] ?? theirs[name]]);
    expect(ours).toEqual(Object.fromEntries(wanted));
  });

  it('have no decision that Dify’s own engine agrees with', () => {
    expect(
      Object.keys(decided).filter((name) => JSON.stringify(decided[name]) === JSON.stringify(theirs[name])),
    ).toEqual([]);
  });
});
