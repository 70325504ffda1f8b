import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newMessages, promptOf, type Turn } from '../../../functions/chat/domain/history.ts';
import type { ChatMessage } from '../../../functions/chat/domain/messages.ts';
import { pairedCalls } from '../../../functions/chat/domain/paired-calls.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const calls = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const result = (tool_call_id: string): ChatMessage => ({ role: 'tool', tool_call_id, content: 'r' });

const turn = (input: readonly ChatMessage[], answer: ChatMessage): Turn => ({
  turnId: 't',
  createdAt: '2026-01-01T00:00:00.000Z',
  input,
  steps: [],
  answer: answer as Turn['answer'],
  finishReason: 'stop',
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const prompt = (history: readonly Turn[], added: readonly ChatMessage[], historyTokens = 10_000) =>
  promptOf([], added, { systemPrompt: null, history, historyTokens });

describe('what a request adds to its session', () => {
  const history = [turn([user('one')], assistant('1'))];

  it('is all of it, but for prompts, where nothing is stored', () => {
    const sent = [user('a'), assistant('b'), user('c')];
    expect(newMessages([], [{ role: 'system', content: 's' }, ...sent])).toEqual(sent);
  });

  it('is what follows the last answer, where clients resend the whole history', () => {
    expect(newMessages(history, [user('one'), assistant('1'), user('two')])).toEqual([user('two')]);
    expect(newMessages(history, [user('two'), user('three')])).toEqual([user('two'), user('three')]);
  });

  it('is the result of a tool that the stored history has called; one of another call comes with its call', () => {
    const called = [turn([user('q')], calls('c1'))];
    expect(newMessages(called, [user('q'), calls('c1'), result('c1')])).toEqual([result('c1')]);
    expect(newMessages(history, [user('q'), calls('c9'), result('c9')])).toEqual([calls('c9'), result('c9')]);
  });

  it('is refused where nothing follows the last answer', () => {
    expect(() => newMessages(history, [user('one'), assistant('1')])).toThrow(/must be of the role user or tool/);
  });
});

describe('what goes to the model', () => {
  it('starts with the prompts, and leaves out the oldest turns that do not fit', () => {
    const history = Array.from({ length: 5 }, (_, i) => turn([user(`q${i} ${'x'.repeat(40)}`)], assistant(`a${i}`)));
    const sent = [{ role: 'system', content: 'client' } as const, user('now')];
    const options = { systemPrompt: 'own', history, historyTokens: 50 };
    expect(promptOf(sent, [user('now')], options)).toEqual([
      { role: 'system', content: 'own' },
      { role: 'system', content: 'client' },
      ...history.slice(3).flatMap(({ input, answer }) => [...input, answer]),
      user('now'),
    ]);
  });

  it('never has a result without its call, nor a call without all its results', () => {
    const message = fc.oneof(
      fc.constantFrom('a', 'b').map(user),
      fc.constantFrom('x', 'y').map(assistant),
      fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'), { minLength: 1 }).map((ids) => calls(...ids)),
      fc.constantFrom('1', '2', '3', '4').map(result),
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const paired = pairedCalls(messages);
        const open = new Set<string>();
        for (const each of paired) {
          if (each.role === 'tool') expect(open.delete(each.tool_call_id)).toBe(true);
          else expect([...open]).toEqual([]);
          if (each.role === 'assistant') for (const { id } of each.tool_calls ?? []) open.add(id);
        }
        expect([...open]).toEqual([]);
        // Nothing that people said is lost.
        expect(paired.filter(({ role }) => role === 'user')).toEqual(messages.filter(({ role }) => role === 'user'));
      }),
    );
  });

  it('trims no call from its result: a turn whose call is left out loses its result too', () => {
    const long = user('q'.repeat(400));
    const history = [turn([long], calls('c1')), turn([result('c1')], assistant('done'))];
    expect(prompt(history, [user('next')], 40)).toEqual([assistant('done'), user('next')]);
    expect(prompt(history, [user('next')])).toEqual([long, calls('c1'), result('c1'), assistant('done'), user('next')]);
  });

  it('puts a result behind its call where another request came between', () => {
    const history = [
      turn([user('q')], calls('c1')),
      turn([user('other')], assistant('o')),
      turn([result('c1')], assistant('d')),
    ];
    const roles = prompt(history, [user('n')]).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'assistant', 'user']);
  });
});
