import { describe, expect, it } from 'vitest';
import { CtcDecoder } from '../../../../functions/extraction/domain/reading/ctc-decoder.ts';
import { LetterPrior, packPrior } from '../../../../functions/extraction/domain/reading/letter-prior.ts';

const ALPHABET = ['리', '바', '록', '복', '정', '5', '3'];
/** 록 is what follows 리바 in names; of what follows 정 it knows 3 alone. */
const PRIOR = new LetterPrior(
  packPrior([
    { ngram: '리', log: -3, backOff: -0.5 },
    { ngram: '바', log: -3, backOff: -0.5 },
    { ngram: '리바', log: -0.7, backOff: -0.5 },
    { ngram: '리바록', log: -0.1, backOff: 0 },
    { ngram: '록', log: -4, backOff: 0 },
    { ngram: '복', log: -4, backOff: 0 },
    { ngram: '정0', log: -0.1, backOff: 0 },
  ]),
);

/** Letters with the probabilities of what each step shows; a blank of the network between them. */
function decoded(letters: readonly Readonly<Record<string, number>>[], prior: LetterPrior | null = PRIOR) {
  const classes = ALPHABET.length + 1;
  const steps = letters.flatMap((shown) => {
    const step = new Array<number>(classes).fill(0);
    for (const [letter, chance] of Object.entries(shown)) step[ALPHABET.indexOf(letter) + 1] = chance;
    return [step, [1, ...new Array<number>(classes - 1).fill(0)]];
  });
  return new CtcDecoder(ALPHABET, prior).decode(Float32Array.from(steps.flat()), 0, steps.length, classes).text;
}

describe('a decoder with a prior over names', () => {
  it('takes the letter that names have, where print leaves two open', () => {
    const name = [{ 리: 1 }, { 바: 1 }, { 복: 0.6, 록: 0.35 }];
    expect(decoded(name, null).text).toBe('리바복');
    expect(decoded(name).text).toBe('리바록');
  });

  it('is as sure of that letter as print is, and names the other as its rival', () => {
    const { confidence, letters, rivals } = decoded([{ 리: 1 }, { 바: 1 }, { 복: 0.6, 록: 0.35 }]);
    expect(confidence).toBeCloseTo(0.35);
    expect(letters!.at(-1)).toBeCloseTo(0.35);
    expect(rivals!.at(-1)).toBe('복');
  });

  it('reads a surely printed letter as it is printed', () => {
    expect(decoded([{ 리: 1 }, { 바: 1 }, { 복: 0.96, 록: 0.04 }]).text).toBe('리바복');
  });

  it('does not outweigh print by more than ten times', () => {
    expect(decoded([{ 리: 1 }, { 바: 1 }, { 복: 0.94, 록: 0.03 }]).text).toBe('리바복');
  });

  it('never decides between digits', () => {
    expect(decoded([{ 리: 1 }, { 바: 1 }, { 정: 1 }, { '5': 0.51, '3': 0.49 }]).text).toBe('리바정5');
  });
});
