import { describe, expect, it } from 'vitest';
import { findingsIn } from '../../../bin/prose/findings.ts';

const namesIn = (file: string, source: string) => findingsIn(file, source).map(({ pattern }) => pattern.name);

describe('the prose linter', () => {
  it('finds phrases in comments, strings and Markdown, with their lines', () => {
    const source =
      "/** Sums a row. */\nconst sum = 1;\n// The rest goes on below.\nthrow new Error('Nobody may do this.');\n";
    expect(findingsIn('a.ts', source).map(({ line, pattern }) => [line, pattern.name])).toEqual([
      [3, 'goes-on'],
      [4, 'somebody'],
    ]);
    expect(namesIn('a.md', '# Title\n\nA file stands there.\n')).toEqual(['stands']);
    expect(namesIn('a.c', '/* Whatever comes. */\nint a;\n')).toEqual(['whatever']);
  });

  it('leaves code out: identifiers, expressions, regular expressions, inline code and fenced blocks', () => {
    const code = [
      'const beside = told / whatever;',
      'const pattern = /`goes on"/.test(text);',
      ['const pair = `$', '{`$', '{ whatever } a`} b`;'].join(''),
      '// Calls `goes on`.',
    ];
    expect(namesIn('a.ts', code.join('\n'))).toEqual([]);
    expect(namesIn('a.md', 'Run `what is`.\n\n```sh\necho nobody\n```\n')).toEqual([]);
    expect(namesIn('a.c', 'int beside = 1; /* Adds one. */\n')).toEqual([]);
  });

  it('reads a string or a comment after a regular expression that holds quotes, and after a non-null assertion', () => {
    expect(namesIn('a.ts', "const a = !/'/.test(b);\nfail('It goes on from here.');\n")).toEqual(['goes-on']);
    expect(namesIn('a.ts', "const a = b! / 2; // It's whatever.\n")).toEqual(['whatever']);
  });

  it('joins the lines of a comment, so that a broken phrase is found', () => {
    expect(namesIn('a.ts', '/**\n * Each has a bucket of\n * its own.\n */\n')).toEqual(['of-its-own']);
    expect(namesIn('a.ts', '// Each has a bucket of\n// its own.\n')).toEqual(['of-its-own']);
  });

  it('passes the same words where they are plain English', () => {
    const fine = [
      '`T` stands for a tab.',
      'That is not at all rare.',
      'A prefix tells the two apart.',
      'What is a lease?',
    ];
    expect(namesIn('a.md', fine.join('\n\n'))).toEqual([]);
  });

  it('skips words that the allow-list names for the file', () => {
    const allowed = [{ file: 'a.md', words: 'An operator mends it.', reason: 'quoted' }];
    expect(findingsIn('a.md', 'An operator\nmends it. Another mends that.\n', allowed)).toHaveLength(1);
    expect(findingsIn('b.md', 'An operator\nmends it.\n', allowed)).toHaveLength(1);
  });
});
