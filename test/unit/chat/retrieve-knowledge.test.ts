import { expect, it } from 'vitest';
import { retrieveKnowledge } from '../../../functions/chat/domain/retrieve-knowledge.ts';

const hit = (text: string) => ({
  ...{ baseId: 'b', documentId: text, title: '안내', page: null, heading: [], score: 0.5, termShare: 0.5 },
  text,
});

async function retrieved(questions: readonly string[], ...found: readonly string[]) {
  const messages = questions.map((content) => ({ role: 'user', content }) as const);
  const { signal } = new AbortController();
  const retrieval = { workspaceId: 'w', baseIds: ['b'], messages, contextWindow: 8_000, signal };
  return retrieveKnowledge(retrieval, { search: async () => found.map(hit) });
}

const FIRST = '환불은 언제까지 신청하나요?';

it.each([
  '아이는요?',
  '그럼 제주도에 사는 사람은 며칠이 걸리나요?',
  '제주도는 얼마나 걸리나요?',
  'And does it apply to children?',
])('a follow-up is searched with the question before: %s', async (last) => {
  expect((await retrieved(['다른 이야기', FIRST, last])).query).toBe(`${FIRST}\n${last}`);
});

it.each(['새 비밀번호는 몇 글자 이상이어야 하나요?', 'How many characters does a new password need?'])(
  'another question is searched alone: %s',
  async (last) => {
    expect((await retrieved([FIRST, last])).query).toBe(last);
  },
);

it('a question of few words, which may be another one, has no passages about the one before alone', async () => {
  const { hits } = await retrieved(
    [FIRST, '제주도는 얼마나 걸리나요?'],
    '환불은 7일 안에 됩니다.',
    '제주도는 닷새가 걸립니다.',
  );
  expect(hits.map(({ text }) => text)).toEqual(['제주도는 닷새가 걸립니다.']);
});

it('a first question of few words takes passages that were found by their meaning', async () => {
  const { query, hits } = await retrieved(['제주도는 얼마나 걸리나요?'], '섬으로는 닷새가 듭니다.');
  expect([query, hits.length]).toEqual(['제주도는 얼마나 걸리나요?', 1]);
});
