import { expect, it } from 'vitest';
import { separated, ThoughtReader } from '../../../functions/workflows/domain/effects/thoughts.ts';

it.each([
  ['<think>why</think>\n\nIt is.', 'It is.', 'why'],
  ['<THINK class="a">one</THINK>It <think>two</think>is.', 'It is.', 'one\ntwo'],
  ['why</think> It is.', 'It is.', 'why'],
  ['It is <think>and so on', 'It is', 'and so on'],
  ['a < b <thinking> c', 'a < b <thinking> c', ''],
  ['\u0130<think>\u0130</think>\u0130', '\u0130\u0130', '\u0130'],
])('separates %j', (answer, text, thought) => {
  const found = separated(answer);
  expect([found.text, found.thought.trimEnd()]).toEqual([text, thought]);
});

it('separates an answer in the same way, however it is cut into parts', () => {
  const answer = '<think a="1">first < second</think>\n It is <b>so</b>. <think>third</think>End <th';
  const whole = 'It is <b>so</b>. End <th';
  for (let size = 1; size < answer.length; size++) {
    const reader = new ThoughtReader();
    const parts = [];
    for (let at = 0; at < answer.length; at += size) parts.push(reader.read(answer.slice(at, at + size)));
    parts.push(reader.end());
    expect([size, parts.map(({ text }) => text).join('')]).toEqual([size, whole]);
    expect(parts.map(({ thought }) => thought).join('')).toBe('first < second\nthird\n');
  }
});

it('takes time in proportion to the length of an answer', () => {
  const answer = '<think '.repeat(100_000);
  const reader = new ThoughtReader();
  let length = 0;
  for (let at = 0; at < answer.length; at += 7) length += reader.read(answer.slice(at, at + 7)).text.length;
  expect(length + reader.end().text.length).toBe(answer.length);
});
