import { expect } from 'vitest';
import {
  events,
  fails,
  type ProviderRequest,
  type Script,
  says,
  upstreamChunk,
} from '../../helpers/scripted-provider.ts';
import { WEATHER_API } from '../../helpers/tool-servers.ts';
import {
  asks,
  callChunk,
  called,
  DONE,
  describeRows,
  fn,
  garbled,
  notText,
  type Row,
  result,
  text,
  user,
  whole,
} from '../../helpers/upstream-rows.ts';

const thinksAndCalls = (thought: string, name = 'weather'): Script =>
  events(
    upstreamChunk({ role: 'assistant', content: null, reasoning_content: thought.slice(0, 3) }),
    upstreamChunk({ reasoning_content: thought.slice(3) }),
    callChunk({ index: 0, id: 'c', type: 'function', function: { name, arguments: '{"city":"Seoul"}' } }, 'tool_calls'),
    DONE,
  );
const reasoningIn = (body: ProviderRequest['body'] | undefined) =>
  body!.messages.filter(({ role }) => role === 'assistant').map(({ reasoning_content }) => reasoning_content);

const reasoning: readonly Row[] = [
  {
    name: 'A session sends the reasoning before a call back to the model that gave it',
    upstream: [thinksAndCalls('Let me look.'), says('21 °C')],
    requests: [asks(user()), asks(result('c', '21'))],
    check: (bodies) => expect(reasoningIn(bodies[1])).toEqual(['Let me look.']),
  },
  {
    name: 'A session still sends it with the next question',
    upstream: [thinksAndCalls('Let me look.'), says('21 °C'), says('ok')],
    requests: [asks(user()), asks(result('c', '21')), asks(user('2'))],
    check: (bodies) => expect(reasoningIn(bodies[2])).toEqual(['Let me look.', undefined]),
  },
  {
    name: 'The reasoning that a client brings back with a call reaches the model',
    upstream: [says('ok')],
    requests: [asks(user(), { ...called(['c', 'weather']), reasoning_content: 'Let me look.' }, result('c', '21'))],
    check: ([body]) => expect(reasoningIn(body)).toEqual(['Let me look.']),
  },
  {
    name: 'The reasoning of an answer without calls does not go back',
    upstream: [says('ok')],
    requests: [asks(user(), { role: 'assistant', content: '1', reasoning_content: 'Easy.' }, user('2'))],
    check: ([body]) => expect(reasoningIn(body)).toEqual([undefined]),
  },
  {
    name: 'The reasoning before a call of the application’s tool goes back with the result',
    upstream: [thinksAndCalls('Let me look.', 'getWeather'), says('21 °C')],
    config: ({ weather }) => ({
      tools: [{ type: 'http', openapi: WEATHER_API, server: weather.url, operation_id: 'getWeather' }],
    }),
    outcome: { text: '21 °C', reasoning: 'Let me look.' },
    check: (bodies) => expect(reasoningIn(bodies[1])).toEqual(['Let me look.']),
  },
  {
    name: 'A fallback gets no reasoning of another model',
    upstream: [thinksAndCalls('Let me look.'), fails(401), says('21 °C')],
    config: ({ provider }) => ({
      model: { fallbacks: [{ provider: 'openai-compatible', name: 'second', base_url: provider.baseUrl }] },
    }),
    requests: [asks(user()), asks(result('c', '21'))],
    check: (bodies) => expect(bodies.slice(1).map(reasoningIn)).toEqual([['Let me look.'], [undefined]]),
  },
  {
    name: 'No additional member of ours next to the reasoning reaches the server',
    upstream: [thinksAndCalls('Let me look.'), says('21 °C')],
    requests: [asks(user()), asks(result('c', '21'))],
    check: (bodies) =>
      expect(Object.keys(bodies[1]!.messages[1]!).sort()).toEqual([
        ...['content', 'reasoning_content', 'role', 'tool_calls'],
      ]),
  },
];

const forms: readonly Row[] = [
  {
    name: 'A text as parts is read',
    upstream: [
      events(text([{ type: 'text', text: 'Hel' }]), text([{ type: 'text', text: 'l' }, { text: 'o' }], 'stop'), DONE),
    ],
    outcome: { text: 'Hello' },
  },
  {
    name: 'A whole answer as parts is read',
    upstream: [whole({ content: [{ type: 'output_text', text: 'Hello' }] })],
    outcome: { text: 'Hello' },
  },
  {
    name: 'Thinking as parts of the content is reasoning',
    upstream: [
      events(
        text([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]),
        text(
          [
            { type: 'thinking', thinking: ' So.' },
            { type: 'text', text: 'Hello' },
          ],
          'stop',
        ),
        DONE,
      ),
    ],
    outcome: { text: 'Hello', reasoning: 'Hm. So.' },
  },
  {
    name: 'A refusal as a part is a refusal',
    upstream: [events(text([{ type: 'refusal', refusal: 'No.' }], 'stop'), DONE)],
    outcome: { refusal: 'No.' },
  },
  {
    name: 'References between parts of a text are left out',
    upstream: [
      events(
        text(
          [
            { type: 'text', text: 'Hi' },
            { type: 'reference', reference_ids: [1] },
          ],
          'stop',
        ),
        DONE,
      ),
    ],
    outcome: { text: 'Hi' },
  },
  {
    name: 'Reasoning under its other name is reasoning',
    upstream: [events(upstreamChunk({ reasoning: 'Hm.' }), text('Hello', 'stop'), DONE)],
    outcome: { text: 'Hello', reasoning: 'Hm.' },
  },
  {
    name: 'A picture as the answer reaches the client',
    upstream: [events(text([{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }], 'stop'), DONE)],
    outcome: { members: { images: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }] } },
  },
  {
    name: 'A part that is a number is an error',
    upstream: [events(text([7], 'stop'), DONE)],
    outcome: garbled,
  },
  {
    name: 'A text part without a text is an error',
    upstream: [events(text([{ type: 'text' }], 'stop'))],
    outcome: notText,
  },
  {
    name: 'Calls that are not a list are an error',
    upstream: [events(callChunk('weather' as never))],
    outcome: garbled,
  },
  {
    name: 'Arguments that come as an object are arguments',
    upstream: [events(callChunk({ index: 0, id: 'c', ...fn('weather', { city: 'Seoul' }) }, 'tool_calls'), DONE)],
    outcome: { calls: [{ id: 'c', name: 'weather', arguments: '{"city":"Seoul"}' }] },
  },
  {
    name: 'Arguments of a whole answer that come as an object are arguments',
    upstream: [whole({ content: '', tool_calls: [{ id: 'c', ...fn('weather', { city: 'Seoul' }) }] })],
    outcome: { calls: [{ arguments: '{"city":"Seoul"}' }], finish: 'tool_calls' },
  },
  {
    name: 'Arguments that are a number are an error',
    upstream: [events(callChunk({ index: 0, id: 'c', ...fn('weather', 7) }, 'tool_calls'), DONE)],
    outcome: garbled,
  },
  {
    name: 'A function_call of the old form is a call',
    upstream: [
      events(
        upstreamChunk({ function_call: { name: 'weather', arguments: '{"a"' } }),
        upstreamChunk({ function_call: { arguments: ':1}' } }, 'function_call'),
        DONE,
      ),
    ],
    outcome: { calls: [{ name: 'weather', arguments: '{"a":1}' }], finish: 'tool_calls' },
  },
  {
    name: 'The text of a completion of the old form is read',
    upstream: [events({ choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }] }, DONE)],
    outcome: { text: 'Hello' },
  },
  {
    name: 'Comments, lines that end in CR LF and events without choices do no harm',
    upstream: [
      events(
        ...[': ping\n\n', `data: ${JSON.stringify(text('Hello', 'stop'))}\r\n\r\n`],
        ...[{ choices: [], prompt_filter_results: [] }, 'data:[DONE]\n\n'],
      ),
    ],
    outcome: { text: 'Hello' },
  },
  {
    name: 'An error in a whole answer with the status 200 is an error',
    upstream: [whole({}, { error: { message: 'overloaded', type: 'server_error' }, choices: undefined })],
    outcome: { failure: { code: 'provider_error', message: expect.stringContaining('overloaded') } },
  },
];

describeRows([
  ['reasoning', reasoning],
  ['forms of answers', forms],
]);
