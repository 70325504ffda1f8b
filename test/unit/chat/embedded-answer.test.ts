import { describe, expect, it } from 'vitest';
import { extractiveAnswer } from '../../../functions/chat/domain/embedded-answer.ts';

const user = (content: string) => [{ role: 'user', content } as const];
const QUESTION = '뼈다귀 수수료는 얼마인가요?';
const passage = (title: string, text: string, termShare: number) => ({ title, text, termShare });
const FEE = 'npm run fee\n수수료 표: 뼈다귀 3,000원. 한 번만 받습니다.';

describe('extractiveAnswer', () => {
  it('quotes the passage that search is sure of, whole and with its place', () => {
    expect(
      extractiveAnswer(user(QUESTION), [passage('요금 › 표', FEE, 0.3), passage('다른 것', '뼈다귀', 0.1)], QUESTION),
    ).toBe(`${FEE} [요금 › 표]`);
  });

  it('quotes passages that are as good as the best one', () => {
    const documents = [passage('a', FEE, 0.3), passage('b', `${FEE} 또는 면제`, 0.27), passage('c', FEE, 0.2)];
    expect(extractiveAnswer(user(QUESTION), documents, QUESTION)).toBe(`${FEE} [a]\n\n${FEE} 또는 면제 [b]`);
  });

  it.each([
    ['no lead', [0.07, 0.065]],
    ['little in common', [0.04, 0]],
  ])('refuses a passage with %s', (_, shares) => {
    const documents = shares.map((share) => passage('a', '전혀 다른 내용입니다.', share));
    expect(extractiveAnswer(user(QUESTION), documents, QUESTION)).toContain('찾지 못했습니다');
  });

  it('takes a passage with little in common that leads by far', () => {
    const documents = [passage('a', FEE, 0.07), passage('b', '뼈다귀', 0.04)];
    expect(extractiveAnswer(user(QUESTION), documents, QUESTION)).toBe(`${FEE} [a]`);
  });

  it('refuses a passage with one rare word of the question alone', () => {
    const asked = 'Who won the football championship in Uruguay?';
    expect(extractiveAnswer(user(asked), [passage('Fields', 'A football field is large.', 0.3)], asked)).toContain(
      'say nothing about this',
    );
  });

  it('answers a short question with the one before', () => {
    const asked = `${QUESTION}\n개는요?`;
    expect(extractiveAnswer(user('개는요?'), [passage('a', FEE, 0.3)], asked)).toBe(`${FEE} [a]`);
  });
});
