import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMrkdwn, toPlainText, toWhatsAppText } from '../../../functions/channels/domain/text/format.ts';
import { splitText } from '../../../functions/channels/domain/text/split.ts';

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

describe('a long text', () => {
  it('is split between words, in parts that are not too long, and nothing of it is lost', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !/[\s`~]/.test(text));
    const separator = fc.constantFrom(' ', '  ', '\n', '\n\n', '\t');
    const text = fc.array(fc.tuple(word, separator), { maxLength: 120 }).map((pairs) => pairs.flat().join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 80, max: 300 }), (whole, max) => {
        const parts = splitText(whole, max);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(max);
          expect(part.trim()).not.toBe('');
        }
        expect(parts.flatMap(words)).toEqual(words(whole.toWellFormed()));
      }),
    );
  });

  it('never has half of a surrogate pair at an end, however long a word is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 10, max: 40 }), (whole, max) => {
        const text = whole.replaceAll(/[\s`~]/g, '');
        const parts = splitText(text, max);
        expect(parts.join('')).toBe(text.toWellFormed());
        for (const part of parts) expect([part.isWellFormed(), part.length <= max]).toEqual([true, true]);
      }),
    );
  });

  it('is broken between characters as they are seen', () => {
    const family = '👨‍👩‍👧‍👦';
    for (const part of splitText(family.repeat(20), 30)) expect(part.length % family.length).toBe(0);
  });

  it('keeps a code block in one part where it fits', () => {
    const block = '```ts\nconst a = 1;\nconst b = 2;\n```';
    const before = 'word '.repeat(10).trim();
    expect(splitText(`${before}\n${block}\n${before}`, 60)).toEqual([
      before,
      `${block}\nword word word word word`,
      'word word word word word',
    ]);
  });

  it('closes a longer code block, and opens it again', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i};`);
    const parts = splitText(`Look:\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\nDone.`, 100);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(100);
      expect((part.match(/```/g) ?? []).length % 2).toBe(0);
    }
    expect(parts.join('\n').match(/line \d+;/g)).toEqual(lines);
    expect(parts.filter((part) => part.includes('line ')).every((part) => part.startsWith('```ts\n'))).toBe(true);
  });

  it('of a code block that never ends is split too', () => {
    const parts = splitText(`\`\`\`\n${'x'.repeat(500)}`, 100);
    expect(parts.every((part) => part.length <= 100 && part.startsWith('```') && part.endsWith('```'))).toBe(true);
    expect(parts.join('').replaceAll(/[`\n]/g, '')).toBe('x'.repeat(500));
  });

  it('takes time in proportion to its length', () => {
    for (const text of [
      '```'.repeat(30_000),
      '`'.repeat(90_000),
      '['.repeat(30_000),
      '*'.repeat(90_000),
      'a'.repeat(90_000),
    ]) {
      for (const format of [toMrkdwn, toWhatsAppText, toPlainText]) splitText(format(text), 4_000);
    }
  }, 20_000);
});

describe('Markdown', () => {
  const text = '# Title\n**bold** ~~gone~~ [link](https://e.com/?a=1&b=2) <@U1> & `**code** <b>`\n* item';

  it('becomes mrkdwn for Slack, with what could name people escaped', () => {
    expect(toMrkdwn(text)).toBe(
      '*Title*\n*bold* ~gone~ <https://e.com/?a=1&amp;b=2|link> &lt;@U1&gt; &amp; `**code** &lt;b&gt;`\n• item',
    );
  });

  it('becomes what WhatsApp shows, and plain text elsewhere', () => {
    expect(toWhatsAppText(text)).toBe(
      '*Title*\n*bold* ~gone~ link (https://e.com/?a=1&b=2) <@U1> & `**code** <b>`\n- item',
    );
    expect(toPlainText(text)).toContain('bold gone link (https://e.com/?a=1&b=2)');
  });
});
