import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const releases = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(
  ([, name]) => `v${name}`,
);

it.each(['README.md', 'docs/benchmarks.md'])('the figures of %s name one release of the changelog', (file) => {
  const named = [...readFileSync(file, 'utf8').matchAll(/Figures of \[?(v[\d.]*\d)/g)].map(([, tag]) => tag);
  expect(named).toHaveLength(1);
  expect(releases).toContain(named[0]);
});

it('the benchmarks are one page of figures, not a diary', () => {
  expect(readFileSync('docs/benchmarks.md', 'utf8').split('\n').length).toBeLessThanOrEqual(151);
});
