import { describe, expect, it } from 'vitest';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { drugMaster, drugTable } from '../../../helpers/drug-table.ts';

const GABAPENTIN = '640500010';
const GLIMEPIRIDE = '640500020';
const OTHER_GLIMEPIRIDE = '650700030';
const master = drugMaster({
  [GABAPENTIN]: ['가바틴정600밀리그램(가바펜틴)_(0.6g/1정)', 100],
  [GLIMEPIRIDE]: ['다나릴정(글리메피리드)_(2mg/1정)', 100],
  [OTHER_GLIMEPIRIDE]: ['가나릴정(글리메피리드)_(2mg/1정)', 120],
});

/** @param chances of letters that print shows least surely, and what else they may be. */
function judged(drugCode: string, name: string, chances: Readonly<Record<string, readonly [number, string]>> = {}) {
  const values = {
    drugCode,
    drugName: name,
    quantity: 2,
    days: 7,
    prescribedQty: 14,
    unitPrice: 100,
    totalAmount: 1400,
  };
  const { lines } = drugTable([values]);
  const letters = [...name].map((letter) => chances[letter]?.[0] ?? 1);
  const rivals = [...name].map((letter) => chances[letter]?.[1] ?? '');
  const drugName = { value: name, text: name, confidence: Math.min(1, ...letters), letters, rivals };
  return judgeTable(drugTable([{ ...lines[0]!, drugName }]), master, '2026-11-21').items[0]!;
}

describe('a printed name', () => {
  it('is returned as printed and doubted if one surely read syllable differs from the list', () => {
    const item = judged(GABAPENTIN, '가바민정600밀리그램(가바펜틴)');
    expect(item).toMatchObject({ drugName: '가바민정600밀리그램(가바펜틴)', status: 'YELLOW', drugCode: GABAPENTIN });
    expect(item.review).toEqual([
      'name_uncertain: the name reads "가바민정600밀리그램(가바펜틴)", with 민 (1.00) for 틴; the list writes 가바틴정600밀리그램(가바펜틴)_(0.6g/1정)',
    ]);
  });

  it('is returned as printed if its strength differs by one digit', () => {
    const item = judged(GABAPENTIN, '가바틴정900밀리그램(가바펜틴)');
    expect(item).toMatchObject({ drugName: '가바틴정900밀리그램(가바펜틴)', status: 'YELLOW' });
    expect(item.review.join()).toContain('with 9 (1.00) for 6');
  });

  it('names the code of the other listed drug whose name it is', () => {
    const item = judged(GLIMEPIRIDE, '가나릴정(글리메피리드)');
    expect(item).toMatchObject({ drugName: '가나릴정(글리메피리드)', status: 'YELLOW', drugCode: GLIMEPIRIDE });
    expect(item.review.join()).toContain(`the name of ${OTHER_GLIMEPIRIDE}`);
    expect(item.review.join()).toContain('다나릴정');
  });

  it('is returned as the recogniser chose between the letters that print left open', () => {
    expect(judged(GABAPENTIN, '가바틴정600밀리그램(가바펜틴)', { 바: [0.6, '비'] }).status).toBe('GREEN');
    const wrong = judged(GABAPENTIN, '가비틴정600밀리그램', { 비: [0.6, '바'] });
    expect(wrong).toMatchObject({ drugName: '가비틴정600밀리그램', status: 'YELLOW' });
    expect(wrong.review.join()).toContain('with 비 (0.60) for 바');
  });

  it('is doubted where print hardly shows a letter, though it reads as the list writes it', () => {
    const item = judged(GABAPENTIN, '가바틴정600밀리그램(가바펜틴)', { 정: [0.04, '덩'] });
    expect(item).toMatchObject({ drugName: '가바틴정600밀리그램(가바펜틴)', status: 'YELLOW' });
    expect(item.review.join()).toContain('print hardly shows 정 (0.04, or 덩)');
  });
});
