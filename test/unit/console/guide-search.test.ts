import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTENTS } from '../../../console/src/pages/guides/contents.ts';
import { searchIn } from '../../../console/src/pages/guides/search.ts';

const listed = CONTENTS.flatMap(({ guides }) => guides.map(({ page }) => page));
const guides = listed.map((page) => ({
  page,
  text: readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8'),
}));

describe('the search of the guides', () => {
  it('finds headings first, and lines that have all the words', () => {
    const found = searchIn(
      [
        { page: 'a.md', text: '# A\nThe key of a `workspace` is shown once.\n## Limits\nNone.' },
        { page: 'b.md', text: '# B\n## Keys of a workspace\n' },
      ],
      'workspace KEY',
    );
    expect(found).toEqual([
      { page: 'b.md', heading: 'Keys of a workspace', line: '' },
      { page: 'a.md', heading: 'A', line: 'The key of a workspace is shown once.' },
    ]);
  });

  it('finds nothing for blanks and for words that no guide has', () => {
    expect(searchIn(guides, '   ')).toEqual([]);
    expect(searchIn(guides, 'qwertzuiop')).toEqual([]);
  });

  it.each(['Idempotency-Key', 'webhook', 'accessToken expired', 'Accept-Language'])(
    'reads real guides for %s',
    (sought) => {
      for (const { page, line } of searchIn(guides, sought)) {
        expect(listed).toContain(page);
        expect(line.length).toBeLessThan(200);
      }
      if (sought !== 'accessToken expired') expect(searchIn(guides, sought).length).toBeGreaterThan(0);
    },
  );
});

it('the contents list every guide for users and for operators', () => {
  const readme = readFileSync(new URL('../../../docs/README.md', import.meta.url), 'utf8');
  const chapters = readme.split('**For contributors**')[0]!;
  expect(readdirSync(new URL('../../../docs', import.meta.url)).length).toBeGreaterThan(20);
  const consumers = chapters.split('**For operators**')[0]!;
  for (const [, page] of consumers.matchAll(/^\| \[[^\]]+\]\(([\w/-]+\.md)\)/gm)) expect(listed).toContain(page);
});
