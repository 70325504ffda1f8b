import { expect } from 'vitest';
import { callsTool, events, says } from '../../helpers/scripted-provider.ts';
import {
  asks,
  callChunk,
  called,
  DONE,
  describeRows,
  fn,
  idsIn,
  type Row,
  result,
  resultsIn,
  user,
  whole,
} from '../../helpers/upstream-rows.ts';

const histories: readonly Row[] = [
  {
    name: 'Results stay with their calls when a call id comes again in a later turn',
    upstream: [says('ok')],
    requests: [
      asks(
        ...[user('1'), called(['call_0', 'weather']), result('call_0', 'ONE')],
        ...[user('2'), called(['call_0', 'weather']), result('call_0', 'TWO'), user('3')],
      ),
    ],
    check: ([body]) => {
      expect(resultsIn(body!)).toEqual(['ONE', 'TWO']);
      expect(new Set(idsIn(body!)).size).toBe(2);
    },
  },
  {
    name: 'Results stay with their calls when all ids are empty',
    upstream: [says('ok')],
    requests: [asks(user(), called(['', 'weather'], ['', 'time']), result('', 'ONE'), result('', 'TWO'))],
    check: ([body]) => {
      expect(resultsIn(body!)).toEqual(['ONE', 'TWO']);
      expect(new Set(idsIn(body!)).size).toBe(2);
      expect(body!.messages.slice(2).map(({ tool_call_id }) => tool_call_id)).toEqual(idsIn(body!));
    },
  },
  {
    name: 'A call whose result never came takes none of a later call with its id',
    upstream: [says('ok')],
    requests: [
      asks(
        ...[user('1'), called(['call_0', 'weather']), user('never mind')],
        ...[called(['call_0', 'time']), result('call_0', 'noon')],
      ),
    ],
    check: ([body]) => {
      expect(body!.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool']);
      expect(resultsIn(body!)).toEqual(['noon']);
    },
  },
  {
    name: 'A session keeps results with their calls when the server calls every call call_0',
    upstream: [
      ...[callsTool('weather', '{}', 'call_0'), says('one'), callsTool('weather', '{}', 'call_0'), says('two')],
    ],
    requests: [asks(user('1')), asks(result('call_0', 'ONE')), asks(user('2')), asks(result('call00001', 'TWO'))],
    outcome: { text: 'two' },
    check: (bodies) => expect(resultsIn(bodies.at(-1)!)).toEqual(['ONE', 'TWO']),
  },
  {
    name: 'A call without an id gets one, which is its own',
    upstream: [
      events(callChunk({ index: 0, ...fn('weather') }), callChunk({ index: 1, ...fn('time') }, 'tool_calls'), DONE),
    ],
    outcome: {
      calls: [
        { id: 'call00001', name: 'weather' },
        { id: 'call00002', name: 'time' },
      ],
    },
  },
  {
    name: 'Calls of one number without ids are two when their names differ',
    upstream: [
      events(callChunk({ index: 0, ...fn('weather') }), callChunk({ index: 0, ...fn('time') }, 'tool_calls'), DONE),
    ],
    outcome: { calls: [{ name: 'weather' }, { name: 'time' }] },
  },
  {
    name: 'Calls of a whole answer without numbers and ids are all there',
    upstream: [whole({ content: null, tool_calls: [fn('weather', '{"a":1}'), fn('weather', '{"a":2}')] })],
    outcome: { calls: [{ arguments: '{"a":1}' }, { arguments: '{"a":2}' }] },
  },
  {
    name: 'A name and an id that come with every fragment are taken once',
    upstream: [
      events(
        callChunk({ index: 0, id: 'c', ...fn('weather', '{"a"') }),
        callChunk({ index: 0, id: 'c', ...fn('weather', ':1}') }, 'tool_calls'),
        DONE,
      ),
    ],
    outcome: { calls: [{ id: 'c', name: 'weather', arguments: '{"a":1}' }] },
  },
  {
    name: 'A name that comes behind its id is found',
    upstream: [
      events(
        callChunk({ index: 0, id: 'c' }),
        callChunk({ index: 0, ...fn('weather', '{"a":1}') }, 'tool_calls'),
        DONE,
      ),
    ],
    outcome: { calls: [{ id: 'c', name: 'weather', arguments: '{"a":1}' }] },
  },
  {
    name: 'A call without a name is an error',
    upstream: [events(callChunk({ index: 0, id: 'c', function: { arguments: '{}' } }, 'tool_calls'), DONE)],
    outcome: { failure: { code: 'provider_error', message: expect.stringContaining('without a name') } },
  },
];

const brokenArguments: readonly Row[] = [
  {
    name: 'A call without arguments has an empty object as arguments',
    upstream: [events(callChunk({ index: 0, id: 'c', function: { name: 'time' } }, 'tool_calls'), DONE)],
    outcome: { calls: [{ id: 'c', name: 'time', arguments: '{}' }] },
  },
  {
    name: 'Empty arguments in a history are an empty object',
    upstream: [says('ok')],
    requests: [asks(user(), called(['c', 'time', '']), result('c', 'noon'))],
    sent: { messages: [{}, { tool_calls: [{ function: { arguments: '{}' } }] }, { content: 'noon' }] },
  },
  {
    name: 'Broken arguments in a history are shown to the model with the result',
    upstream: [says('ok')],
    requests: [asks(user(), called(['c', 'time', '{"zone":']), result('c', 'no zone'))],
    sent: {
      messages: [
        {},
        { tool_calls: [{ function: { arguments: '{}' } }] },
        { content: expect.stringMatching(/not a JSON object.*They were: \{"zone":\]\nno zone$/s) },
      ],
    },
  },
  {
    name: 'Arguments that are a list are shown to the model with the result',
    upstream: [says('ok')],
    requests: [asks(user(), called(['c', 'time', '[1]']), result('c', 'no'))],
    sent: { messages: [{}, { tool_calls: [{ function: { arguments: '{}' } }] }, { content: /They were: \[1\]/ }] },
  },
  {
    name: 'A session continues after a call with broken arguments',
    upstream: [callsTool('weather', '{"city":', 'c'), says('sorry'), says('ok')],
    requests: [asks(user('1')), asks(result('c', 'bad')), asks(user('2'))],
    outcome: { text: 'ok' },
    sent: { messages: [{}, { tool_calls: [{ function: { arguments: '{}' } }] }, {}, { content: 'sorry' }, user('2')] },
  },
];

const prompts: readonly Row[] = [
  {
    name: 'The prompts of the application and of the client are one system message',
    upstream: [says('ok')],
    config: () => ({ system_prompt: 'Be kind.' }),
    requests: [asks({ role: 'system', content: 'Be brief.' }, user())],
    check: ([body]) =>
      expect(body!.messages).toEqual([{ role: 'system', content: 'Be kind.\n\nBe brief.' }, user('Hello')]),
  },
  {
    name: 'A developer message is a system message, also as parts and in the middle',
    upstream: [says('ok')],
    requests: [
      asks(
        { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
        ...[user('1'), { role: 'assistant', content: '1' }, { role: 'system', content: 'Now be rude.' }, user('2')],
      ),
    ],
    check: ([body]) =>
      expect(body!.messages).toEqual([
        { role: 'system', content: 'Be brief.\n\nNow be rude.' },
        ...[user('1'), { role: 'assistant', content: '1' }, user('2')],
      ]),
  },
  {
    name: 'An empty prompt is not sent',
    upstream: [says('ok')],
    requests: [asks({ role: 'system', content: '' }, user())],
    check: ([body]) => expect(body!.messages).toEqual([user('Hello')]),
  },
  {
    name: 'An answer goes back without an empty list of calls and without a refusal that is null',
    upstream: [says('ok')],
    requests: [asks(user(), { role: 'assistant', content: '1', refusal: null, tool_calls: [] }, user('2'))],
    check: ([body]) => expect(body!.messages[1]).toEqual({ role: 'assistant', content: '1' }),
  },
  {
    name: 'A refusal goes back as text',
    upstream: [says('ok')],
    requests: [
      asks(
        ...[user(), { role: 'assistant', content: null, refusal: 'No.' }, user('2')],
        ...[{ role: 'assistant', content: [{ type: 'refusal', refusal: 'Never.' }] }, user('3')],
      ),
    ],
    check: ([body]) =>
      expect(body!.messages.filter(({ role }) => role === 'assistant')).toEqual([
        { role: 'assistant', content: 'No.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Never.' }] },
      ]),
  },
  {
    name: 'A session sends its answers back without members that are null',
    upstream: [says('1'), says('2')],
    requests: [asks(user('1')), asks(user('2'))],
    check: (bodies) => expect(bodies[1]!.messages[1]).toEqual({ role: 'assistant', content: '1' }),
  },
];

/** A thinking model that calls a tool. */
const parameters: readonly Row[] = [
  {
    name: 'A temperature that the application leaves to the model is not sent',
    upstream: [says('ok')],
    config: () => ({ temperature: null }),
    check: ([body]) => expect(body).not.toHaveProperty('temperature'),
  },
  {
    name: 'Parameters that the application omits are not sent, even if the request sets them',
    upstream: [says('ok')],
    config: () => ({
      model: { omit_parameters: ['temperature', 'stream_options', 'seed', 'max_tokens', 'stop'] },
    }),
    requests: [{ ...asks(user()), temperature: 1, seed: 1, max_tokens: 5, stop: ['a'], top_p: 0.5 }],
    sent: { top_p: 0.5 },
    check: ([body]) =>
      expect(Object.keys(body!)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(temperature|stream_options|seed|max_tokens|stop)$/)]),
      ),
  },
  {
    name: 'The bound of an answer has the name that the model knows',
    upstream: [says('ok')],
    config: () => ({ model: { max_tokens_parameter: 'max_completion_tokens' } }),
    requests: [{ ...asks(user()), max_tokens: 5 }],
    sent: { max_completion_tokens: 5 },
    check: ([body]) => expect(body).not.toHaveProperty('max_tokens'),
  },
  {
    name: 'The bound of an answer is max_tokens where the model does not say otherwise',
    upstream: [says('ok')],
    requests: [{ ...asks(user()), max_completion_tokens: 5 }],
    sent: { max_tokens: 5 },
    check: ([body]) => expect(body).not.toHaveProperty('max_completion_tokens'),
  },
  {
    name: 'The vendor’s own parameters are sent, over those of a request',
    upstream: [says('ok')],
    config: () => ({ model: { extra_body: { top_k: 40, enable_thinking: false, top_p: 0.9 } } }),
    requests: [{ ...asks(user()), top_p: 0.5 }],
    sent: { top_k: 40, enable_thinking: false, top_p: 0.9, model: 'test-model', stream: true },
  },
  {
    name: 'Calls without tools that a request brings are sent without an empty list of tools',
    upstream: [says('ok')],
    requests: [{ ...asks(user()), tools: [] }],
    check: ([body]) => expect(body).not.toHaveProperty('tools'),
  },
];

describeRows([
  ['histories with tools', histories],
  ['broken arguments', brokenArguments],
  ['prompts', prompts],
  ['parameters', parameters],
]);
