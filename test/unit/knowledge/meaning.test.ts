import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MEANING_FILE } from '../../../functions/adapters/knowledge/meaning-file.ts';
import type { KnowledgeHit } from '../../../functions/knowledge/domain/knowledge-search.ts';
import { rankByMeaning } from '../../../functions/knowledge/domain/meaning/rank-by-meaning.ts';
import { SubwordVectors } from '../../../functions/knowledge/domain/meaning/subword-vectors.ts';

const file = readFileSync(MEANING_FILE);
const vectors = new SubwordVectors(file);

function likeness(a: string, b: string): number {
  const [one, other] = [vectors.of(a), vectors.of(b)];
  return one.reduce((sum, value, i) => sum + value * other[i]!, 0);
}

describe('SubwordVectors', () => {
  it.each([
    ['환불을 받고 싶어요', '구매 금액을 돌려받는 방법', '배송지를 변경하는 방법'],
    ['파일을 지우려면', '문서를 삭제하는 방법', '문서를 추가하는 방법'],
    ['how do I delete a file', 'removing documents', 'adding colours to a chart'],
    ['오류가 나면 다시 시도하나요', 'retry after an error', 'choose a colour for the theme'],
  ])('puts "%s" nearer to "%s" than to "%s"', (question, same, other) => {
    expect(likeness(question, same)).toBeGreaterThan(likeness(question, other));
  });

  it('gives each text a vector of length 1, the same at each call', () => {
    const vector = vectors.of('예약 취소');
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(vectors.of('예약  취소')).toEqual(vector);
  });

  it('gives zeros for a text without a known word', () => {
    expect(vectors.of('').every((value) => value === 0)).toBe(true);
    expect(vectors.of('◈◈ ◉').every((value) => value === 0)).toBe(true);
    expect(vectors.of('x'.repeat(65)).every((value) => value === 0)).toBe(true);
  });

  it('reads the file at any offset, and refuses other bytes', () => {
    const shifted = new Uint8Array(file.byteLength + 1);
    shifted.set(file, 1);
    expect(new SubwordVectors(shifted.subarray(1)).of('예약')).toEqual(vectors.of('예약'));
    expect(() => new SubwordVectors(new Uint8Array(64))).toThrow('not a file of subword vectors');
  });
});

describe('rankByMeaning', () => {
  const hit = (text: string, score: number): KnowledgeHit => ({
    ...{ baseId: 'b', documentId: text, title: '고객 안내', page: null, heading: [] },
    ...{ score, termShare: score, text },
  });

  it('prefers the passage with the meaning of the question among passages with nearly as many of its terms', () => {
    const hits = [hit('주문 내역은 주문 화면에 있습니다.', 0.42), hit('주문을 철회하면 대금을 환급합니다.', 0.4)];
    const ranked = rankByMeaning('주문을 취소하면 돈을 돌려받나요?', hits, vectors);
    expect(ranked.map(({ documentId }) => documentId)).toEqual([hits[1]!.documentId, hits[0]!.documentId]);
  });

  it('leaves a passage first that has far more of the terms', () => {
    const hits = [hit('환불 신청 기간은 7일입니다.', 0.9), hit('돈을 돌려받는 방법', 0.2)];
    expect(rankByMeaning('환불 신청 기간', hits, vectors)[0]!.text).toBe(hits[0]!.text);
  });

  it('keeps every hit, its share of terms, and scores from 0 to 1 in their order', () => {
    const hits = ['예약 취소', '환불', '배송', '회원 탈퇴'].map((text, i) => hit(text, 1 - i / 4));
    const ranked = rankByMeaning('예약을 취소하려면', hits, vectors);
    expect(ranked.map(({ text }) => text).sort()).toEqual(hits.map(({ text }) => text).sort());
    expect(ranked.map(({ termShare }) => termShare).sort()).toEqual(hits.map(({ termShare }) => termShare).sort());
    const scores = ranked.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  });

  it('has nothing to rank without hits', () => {
    expect(rankByMeaning('환불', [], vectors)).toEqual([]);
  });
});
