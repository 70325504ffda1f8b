import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BENCHMARKS } from '../../../bench/benchmarks.ts';

it('npm run bench lists every benchmark whose file says that it is one', () => {
  const files = readdirSync('bench').filter((file) => file.endsWith('.ts'));
  const named = files.flatMap((file) => {
    const [, name] = /npm run bench ([a-z-]+)/.exec(readFileSync(`bench/${file}`, 'utf8')) ?? [];
    return name === undefined ? [] : [name];
  });
  expect(named.toSorted()).toEqual(Object.keys(BENCHMARKS).toSorted());
});
