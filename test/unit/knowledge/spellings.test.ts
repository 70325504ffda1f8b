import { describe, expect, it } from 'vitest';
import { LOANWORDS } from '../../../functions/knowledge/domain/loanwords.ts';
import { rankByTerms } from '../../../functions/knowledge/domain/rank.ts';
import { encodeSegment, Segment } from '../../../functions/knowledge/domain/segment.ts';
import { nearSpellings, otherSpellings } from '../../../functions/knowledge/domain/spellings.ts';

const TEXTS = [
  'Web Worker는 화면과 다른 스레드에서 돕니다.',
  '메시지는 하루 동안 보관됩니다.',
  '컨텐츠는 관리자만 지웁니다.',
  '서버는 매일 새벽에 다시 시작합니다.',
  '토큰은 30분마다 바뀝니다.',
];
const documents = TEXTS.map((text) => ({
  ...{ documentId: text, title: '문서' },
  passages: [{ text, heading: [], page: null }],
}));
const view = { baseId: 'b', segments: [new Segment(encodeSegment(documents))], removed: new Set<string>() };
const first = (query: string) => rankByTerms(query, [view], 5)[0]?.text;

describe('rankByTerms', () => {
  it.each([
    ['웹워커란?', TEXTS[0]],
    ['메세지 보존', TEXTS[1]],
    ['messages?', TEXTS[1]],
    ['콘텐츠 삭제', TEXTS[2]],
    ['server restart', TEXTS[3]],
    ['Tokens', TEXTS[4]],
    ['쓰레드는 어디서 도나요', TEXTS[0]],
    ['웹이 뭐죠', TEXTS[0]],
    ['Wroker', TEXTS[0]],
  ])('finds a loanword in another spelling: %s', (query, text) => {
    expect(first(query)).toBe(text);
  });

  it('names each passage once, by its best score', () => {
    const hits = rankByTerms('메시지 보관', [view], 5);
    expect(new Set(hits.map(({ text }) => text)).size).toBe(hits.length);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
  });
});

describe('otherSpellings', () => {
  it.each(['환불은 언제까지 하나요?', 'How long does it take?', ''])(
    'has none of a text without loanwords: %j',
    (text) => {
      expect(otherSpellings(text)).toEqual([]);
    },
  );

  it.each([
    ['웹훅', ['webhook', '웹후크']],
    ['웹워커를', ['web worker']],
    ['메세지를', ['message', '메시지를']],
    ['탭이', ['tab']],
    ['useState', ['스테이트']],
    // A syllable within another word is not a loanword.
    ['키우다', []],
    ['앱솔루트', []],
  ])('of %s', (word, others) => {
    expect(otherSpellings(word)).toEqual(others);
  });
});

describe('nearSpellings', () => {
  it.each(['refnud', 'refnd', 'refuund', 'refumd'])('has refund for %s', (word) => {
    expect([...nearSpellings(word)]).toContain('refund');
  });

  it.each(['form', '환불하기', 'v1.2.3', ''])('has none for %j, which is short or no Latin word', (word) => {
    expect([...nearSpellings(word)]).toEqual([]);
  });
});

describe('LOANWORDS', () => {
  it('has each Latin word and each Hangul spelling once', () => {
    const all = LOANWORDS.flatMap(({ latin, hangul }) => [latin, ...hangul]);
    expect(all).toHaveLength(new Set(all).size);
    for (const { latin, hangul } of LOANWORDS) {
      expect(latin).toMatch(/^[a-z]+(?:-[a-z]+)?$/);
      expect(hangul.join('')).toMatch(/^[가-힣]+$/);
    }
  });
});
