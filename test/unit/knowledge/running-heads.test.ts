import { describe, expect, it } from 'vitest';
import { withoutContents, withoutRunningHeads } from '../../../functions/knowledge/domain/running-heads.ts';
import { markdownBlocks, plainBlocks } from '../../../functions/knowledge/domain/text-blocks.ts';

const body = (n: number) =>
  `Section ${'abcdefgh'[n]}\nIt says ${'one two three four five six seven eight'.split(' ')[n]}.\nAnd more of ${'abcdefgh'[n]}.`;

describe('running heads', () => {
  it('are left out at the head and the foot of pages, though their numbers differ', () => {
    const pages = Array.from({ length: 8 }, (_, n) => `User guide, edition ${n}\n${body(n)}\n- ${n + 1} -`);
    expect(withoutRunningHeads(pages)).toEqual(Array.from({ length: 8 }, (_, n) => body(n)));
  });

  it('may alternate between left and right pages', () => {
    const pages = Array.from({ length: 8 }, (_, n) => `${n % 2 ? 'The book' : 'The chapter'}\n${body(n)}`);
    expect(withoutRunningHeads(pages)).toEqual(Array.from({ length: 8 }, (_, n) => body(n)));
  });

  it('are not taken for what few pages repeat, for long lines, or for pages of a few lines', () => {
    const few = ['Note\na\nb\nc', 'Note\nd\ne\nf', 'Other\ng\nh\ni', 'x\nj\nk\nl'];
    expect(withoutRunningHeads(few)).toEqual(few);
    const long = Array.from({ length: 8 }, (_, n) => `${'The same sentence again. '.repeat(8)}\n${body(n)}`);
    expect(withoutRunningHeads(long)).toEqual(long);
    const short = Array.from({ length: 8 }, () => 'Title\nthe only line');
    expect(withoutRunningHeads(short)).toEqual(short);
  });
});

describe('a table of contents', () => {
  it('is left out by the dots that lead to its pages', () => {
    const text =
      '목차\n1. 환불 .......... 3\n2. 배송 · · · · · 12\n3장 문의…………  iv 7\n가격은 3.5 … 4 사이입니다.\nVersion 1.2.3';
    expect(withoutContents(text)).toBe('목차\n3장 문의…………  iv 7\n가격은 3.5 … 4 사이입니다.\nVersion 1.2.3');
    expect([...plainBlocks('1. a ..... 3\n\nb')]).toEqual([{ kind: 'text', text: 'b' }]);
  });

  it('is left out of Markdown where its items are links within the page', () => {
    const text =
      '- [One](#one)\n  - [Two](#two)\n1. [Three](#three)\n\n- [Elsewhere](https://e.com/#a)\n- see [One](#one)';
    expect([...markdownBlocks(text)]).toEqual([{ kind: 'text', text: 'Elsewhere\nsee One' }]);
  });
});
