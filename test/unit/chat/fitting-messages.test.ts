import { expect, it } from 'vitest';
import { fittingMessages, MAX_SENT_BYTES, type SentMessage } from '../../../functions/chat/sockets/fitting-messages.ts';

const chunk = (delta: object, finish_reason: string | null = null): SentMessage => ({
  ...{ type: 'message', id: 'q' },
  data: { id: 'chatcmpl-1', choices: [{ index: 0, delta, logprobs: null, finish_reason }] },
});
const deltasOf = (messages: readonly SentMessage[]) =>
  messages.map(({ data }) => (data as { choices: [{ delta: Record<string, string> }] }).choices[0].delta);
const bytesOf = (message: object) => Buffer.byteLength(JSON.stringify(message));

it('a message that API Gateway takes is left as it is', () => {
  const message = chunk({ content: 'x'.repeat(100_000) });
  expect(fittingMessages(message)).toEqual([message]);
});

it.each(['a', '가', 'x😀', '"', '\u0000', '\ud800', '\udc00'])(
  'a long text of %j is split into messages that fit, and that make the same text',
  (unit) => {
    const content = unit.repeat(200_000);
    const messages = fittingMessages(chunk({ role: 'assistant', content }, 'stop'));
    expect(messages.every((message) => bytesOf(message) <= MAX_SENT_BYTES)).toBe(true);
    const pieces = deltasOf(messages).map((delta) => delta.content);
    expect(pieces.join('') === content).toBe(true);
    expect(messages.every(({ truncated }) => truncated === undefined)).toBe(true);
    const ends = messages.map(
      ({ data }) => (data as { choices: [{ finish_reason: unknown }] }).choices[0].finish_reason,
    );
    expect(ends.filter((end) => end !== null)).toEqual(['stop']);
    expect(ends.at(-1)).toBe('stop');
  },
);

it.each([
  ['a long text', { event: { result: '가'.repeat(200_000), name: 'f' } }],
  ['many texts', { event: { documents: Array(5_000).fill({ snippet: 'x'.repeat(100) }), name: 'f' } }],
  ['arguments of a call', { choices: [{ delta: { tool_calls: [{ function: { arguments: 'x'.repeat(300_000) } }] } }] }],
  ['a long list', Array(100_000).fill('x'.repeat(20))],
  ['a record of many members', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`member ${n}`, n]))],
])('an event with %s is cut to what fits, and says so', (_, data) => {
  for (const type of ['tool_call_finished', 'message']) {
    const [cut, ...others] = fittingMessages({ type, id: 'q', data });
    expect(others).toEqual([]);
    expect(bytesOf(cut!)).toBeLessThanOrEqual(MAX_SENT_BYTES);
    expect(cut).toMatchObject({ type, id: 'q', truncated: true });
  }
});
