import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../../functions/channels/domain/text/dialects.ts';
import { type Mark, readMarkdown } from '../../../functions/channels/domain/text/read-markdown.ts';
import { renderParts } from '../../../functions/channels/domain/text/render.ts';

const DIALECTS: readonly DialectName[] = ['markdown', 'mrkdwn', 'whatsapp', 'html', 'plain'];
const whole = (markdown: string, dialect: DialectName) => renderParts(markdown, dialect, 100_000).join('\n---\n');
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Every character that is seen, with how it is shown. */
function seen(markdown: string): readonly string[] {
  const named = (mark: Mark) => (mark.kind === 'link' ? `link ${mark.url}` : mark.kind);
  return readMarkdown(markdown, { bullet: '-' }).flatMap((leaf) =>
    leaf.kind === 'code'
      ? [...leaf.lines.join('').replaceAll(/\s/g, '')].map((character) => `${character} block`)
      : leaf.runs.flatMap(({ text, marks }) =>
          [...text.replaceAll(/\s/g, '')].map((character) => `${character} ${marks.map(named).toSorted().join(',')}`),
        ),
  );
}

/** Every visible character of Telegram's HTML with its tags. Fails on a tag that does not nest, or a sign without its escape. */
function shownByHtml(html: string): readonly string[] {
  const open: string[] = [];
  const shown: string[] = [];
  for (const [token, end, tag] of html.matchAll(
    /<(\/?)([a-z]+(?: (?:href|class)="[^"<>]*")?)>|&(?:lt|gt|amp);|[^<>&]/g,
  )) {
    if (tag === undefined) {
      // Each part of a quote has its sign.
      if (token.trim() !== '' && token !== '&gt;') shown.push(`${token} ${open.toSorted().join(',')}`);
    } else if (end === '') open.push(tag);
    else expect(open.pop()?.split(' ')[0]).toBe(tag);
  }
  expect([open, html.replace(/<\/?[a-z]+(?: (?:href|class)="[^"<>]*")?>|&(?:lt|gt|amp|quot);/g, '')]).toEqual([
    [],
    expect.not.stringMatching(/[<>&]/),
  ]);
  return shown;
}

const word = fc.stringMatching(/^[a-z가-힣]{1,12}$/);
const phrase = fc.array(word, { minLength: 1, maxLength: 8 }).map((each) => each.join(' '));
const styled = fc.oneof(
  phrase,
  phrase.map((text) => `**${text}**`),
  phrase.map((text) => `*${text}*`),
  phrase.map((text) => `~~${text}~~`),
  phrase.map((text) => `***${text}***`),
  phrase.map((text) => `\`${text}\``),
  phrase.map((text) => `**bold *and* ${text}**`),
  fc.tuple(phrase, word).map(([text, path]) => `[${text}](https://example.com/${path}_(x)?a=1&b=2)`),
  word.map((path) => `https://example.com/_${path}_/x`),
  fc.constantFrom('2 \\* 3 \\* 4', 'a\\_b', '<br>', '[1]', 'x < y & z'),
);
const paragraph = fc.array(styled, { minLength: 1, maxLength: 6 }).map((each) => each.join(' '));
const code = fc.array(phrase, { minLength: 1, maxLength: 12 }).map((lines) => `\`\`\`ts\n${lines.join('\n')}\n\`\`\``);
const list = fc
  .array(paragraph, { minLength: 1, maxLength: 5 })
  .map((items) => items.map((item) => `- ${item}`).join('\n'));
const nested = fc
  .tuple(paragraph, list, paragraph)
  .map(([first, inner, last]) => `1. ${first}\n${inner.replaceAll(/^/gm, '   ')}\n2. ${last}`);
const block = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  { weight: 1, arbitrary: paragraph.map((text) => `### ${text}`) },
  { weight: 2, arbitrary: code },
  { weight: 2, arbitrary: list },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: paragraph.map((text) => `> ${text}`) },
);
const documents = fc.array(block, { minLength: 1, maxLength: 5 }).map((blocks) => blocks.join('\n\n'));

describe('a long answer', () => {
  it('shows in its parts, joined, what the whole shows: the same characters in the same marks', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 120, max: 600 }), (markdown, max) => {
        const parts = renderParts(markdown, 'markdown', max);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(max);
        expect(parts.flatMap(seen)).toEqual(seen(markdown));
      }),
      { numRuns: 60 },
    );
  });

  it('is sound HTML in each of its parts, which show the same characters in the same marks', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 200, max: 600 }), (markdown, max) => {
        const parts = renderParts(markdown, 'html', max);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(max);
        expect(parts.flatMap(shownByHtml)).toEqual(shownByHtml(whole(markdown, 'html')));
      }),
      { numRuns: 60 },
    );
  });

  it('has no escapes in an address among HTML', () => {
    expect(whole('<br>\n- https://example.com/_가_/x and a_b_', 'markdown')).toContain(
      ' https://example.com/_가_/x and',
    );
    expect(renderParts('<br>\n- https://example.com/_가_/x', 'markdown', 120).flatMap(seen)).toContain('_ address');
  });

  it.each(DIALECTS)('in %s loses no word, and no part is too long', (dialect) => {
    const letters = (text: string) => text.match(/[a-z가-힣]+/g) ?? [];
    const prose = fc.array(
      fc.array(word, { minLength: 1, maxLength: 60 }).map((each) => each.join(' ')),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(prose, fc.integer({ min: 40, max: 300 }), (paragraphs, max) => {
        const parts = renderParts(paragraphs.join('\n\n'), dialect, max);
        for (const part of parts) expect([part.length <= max, part.trim() !== '']).toEqual([true, true]);
        expect(parts.flatMap(letters)).toEqual(paragraphs.flatMap(letters));
      }),
    );
  });

  it('is broken between characters as they are seen, never within a surrogate pair', () => {
    const family = '👨‍👩‍👧‍👦';
    for (const dialect of DIALECTS) {
      const parts = renderParts(family.repeat(20), dialect, 30);
      expect(parts.join('')).toBe(family.repeat(20));
      for (const part of parts) expect(part.length % family.length).toBe(0);
    }
  });

  it('has nothing glued to the fence of a long block of code', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i};`);
    for (const dialect of DIALECTS.filter((name) => name !== 'html')) {
      const parts = renderParts(`Look:\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\nDone.`, dialect, 100);
      for (const part of parts) expect((part.match(/^```\w*$/gm) ?? []).length % 2).toBe(0);
      expect(parts.join('\n').match(/line \d+;/g)).toEqual(lines);
      expect(parts.at(-1)).toMatch(/^```\n\nDone\.$|^Done\.$|\n```\nDone\.$/m);
    }
  });

  it('keeps a link whole at a cut', () => {
    const link = '[the whole name of it](https://example.com/a)';
    for (const dialect of DIALECTS) {
      const parts = renderParts(`${'word '.repeat(16)}${link} and more ${'word '.repeat(40)}`, dialect, 100);
      expect(parts.filter((part) => part.includes('the whole name of it'))).toHaveLength(1);
      expect(parts.filter((part) => part.includes('example.com/a'))).toHaveLength(1);
    }
  });

  it('takes time in proportion to its length', () => {
    const texts = ['```', '`', '[', '*', '_', '> ', '- ', '![', '<', '~~', 'a**', '[a](', '|a', '\\'];
    for (const text of [...texts.map((each) => each.repeat(20_000 / each.length)), 'a'.repeat(90_000)])
      for (const dialect of DIALECTS) renderParts(text, dialect, 4_000);
  }, 60_000);
});

describe('Markdown', () => {
  const all = (markdown: string) =>
    DIALECTS.filter((name) => name !== 'html').map((dialect) => whole(markdown, dialect));

  it('that fits goes to platforms that read it as it is', () => {
    const text = '# Title\n\n* a\n* b __c__';
    expect(whole(text, 'markdown')).toBe(text);
  });

  it.each([
    ['### **x**', '*x*', '*x*', 'x'],
    ['# Title', '*Title*', '*Title*', 'Title'],
    ['*one* _two_', '_one_ _two_', '_one_ _two_', 'one two'],
    ['**one** __two__', '*one* *two*', '*one* *two*', 'one two'],
    ['***both***', '_*both*_', '_*both*_', 'both'],
    ['~~gone~~', '~gone~', '~gone~', 'gone'],
    ['**굵게**는', '*굵게*\u200b는', '*굵게*\u200b는', '굵게는'],
    [
      '[a (b)](https://e.com/x_(y)?a=1&b=2)',
      '<https://e.com/x_(y)?a=1&amp;b=2|a (b)>',
      'a (b) (https://e.com/x_(y)?a=1&b=2)',
      'a (b) (https://e.com/x_(y)?a=1&b=2)',
    ],
    ['https://e.com/_a_', 'https://e.com/_a_', 'https://e.com/_a_', 'https://e.com/_a_'],
    ['2 * 3 * 4', '2 * 3 * 4', '2 * 3 * 4', '2 * 3 * 4'],
    ['`**code** <b>`', '`**code** &lt;b&gt;`', '`**code** <b>`', '**code** <b>'],
    ['<@U1> & <b>', '&lt;@U1&gt; &amp; &lt;b&gt;', '<@U1> & <b>', '<@U1> & <b>'],
    ['~~~\n**x**\n~~~', '```\n**x**\n```', '```\n**x**\n```', '```\n**x**\n```'],
    ['* a\n* b', '• a\n• b', '- a\n- b', '- a\n- b'],
    ['3. a\n4. b', '3. a\n4. b', '3. a\n4. b', '3. a\n4. b'],
    ['- a\n  - b', '• a\n  • b', '- a\n  - b', '- a\n  - b'],
    ['> quoted\n> twice', '> quoted\n> twice', '> quoted\n> twice', '> quoted\n> twice'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', '*a* | *b*\n1 | 2', '*a* | *b*\n1 | 2', 'a | b\n1 | 2'],
    ['one\n\ntwo\nthree', 'one\n\ntwo\nthree', 'one\n\ntwo\nthree', 'one\n\ntwo\nthree'],
  ])('%j is written in the signs of Slack, of WhatsApp, and as plain text', (markdown, ...expected) => {
    expect(all(markdown).slice(1)).toEqual(expected);
  });

  it.each([
    ['### **x**', '<b>x</b>'],
    ['**one** *two* ~~gone~~', '<b>one</b> <i>two</i> <s>gone</s>'],
    ['**굵게**는 2정*3회*5일', '<b>굵게</b>는 2정*3회*5일'],
    ['[a < b](https://e.com/?a=1&b="2")', '<a href="https://e.com/?a=1&amp;b=&quot;2&quot;">a &lt; b</a>'],
    ['[x](!channel) [y](javascript:alert)', 'x y'],
    ['**bold `a < b`**', '<b>bold</b> <code>a &lt; b</code>'],
    ['```ts\nif (a < b) {}\n```', '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>'],
    ['```\n</pre><b>\n```', '<pre>&lt;/pre&gt;&lt;b&gt;</pre>'],
    ['> quoted', '&gt; quoted'],
    ['- a\n- b', '• a\n• b'],
  ])('%j is written in the tags that Telegram makes its entities of', (markdown, expected) => {
    expect(whole(markdown, 'html')).toBe(expected);
  });

  it('keeps every word of a text without Markdown', () => {
    const text = 'Dear all,\nas of 1. March (Monday) a < b && c > d #42 +1 -5 % 100 €';
    expect(words(whole(text, 'plain'))).toEqual(words(text));
  });
});
