import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applicationOn, type ShownApplication } from '../../helpers/chat.ts';
import { type Outcome, outcomeOf, type Way } from '../../helpers/chat-outcome.ts';
import { refillLimits } from '../../helpers/limits.ts';
import {
  callsTool,
  events,
  fails,
  type ProviderRequest,
  type Script,
  type ScriptedProvider,
  says,
  scriptedProvider,
  upstreamChunk,
} from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { type ToolServer, toolServer, WEATHER_API } from '../../helpers/tool-servers.ts';

/** Behaviours of servers with OpenAI's API, and their interpretation: each row is requested whole and as a stream. */
interface Row {
  /** A sentence. */
  readonly name: string;
  /** For the requests of one way, the last one for all that remain. */
  readonly upstream: readonly Script[];
  /** Several are the requests of one session: the outcome is the last one's. */
  readonly requests?: readonly object[];
  readonly config?: () => Record<string, unknown>;
  readonly outcome?: object;
  /** Only of a stream that had begun. */
  readonly streamed?: object;
  /** The last request that the server got. */
  readonly sent?: object;
  readonly check?: (sent: readonly ProviderRequest['body'][], outcome: Outcome) => void;
  /** Requests that the server got for the row. */
  readonly attempts?: number;
}

const DONE = 'data: [DONE]\n\n';
const user = (content: unknown = 'Hello') => ({ role: 'user', content });
const called = (...calls: readonly (readonly [id: string, name: string, args?: string])[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: calls.map(([id, name, args = '{}']) => ({ id, type: 'function', function: { name, arguments: args } })),
});
const result = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content });
const asks = (...messages: readonly object[]) => ({ messages });
const TOOLS = ['weather', 'time'].map((name) => ({ type: 'function', function: { name } }));
/** A call as it comes in a stream. */
const callChunk = (call: object, finish: string | null = null) => upstreamChunk({ tool_calls: [call] }, finish);
const fn = (name: string, args: unknown = '{}') => ({ function: { name, arguments: args } });
const whole =
  (message: object, rest: object = {}): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], ...rest }));
  };

/** The model's view of each tool call: the text of its result. */
const resultsIn = (body: ProviderRequest['body']) =>
  body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
const idsIn = (body: ProviderRequest['body']) =>
  body.messages.flatMap(({ tool_calls }) => ((tool_calls ?? []) as { id: string }[]).map(({ id }) => id));

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
    config: () => ({
      tools: [{ type: 'http', openapi: WEATHER_API, server: weather.url, operation_id: 'getWeather' }],
    }),
    outcome: { text: '21 °C', reasoning: 'Let me look.' },
    check: (bodies) => expect(reasoningIn(bodies[1])).toEqual(['Let me look.']),
  },
  {
    name: 'A fallback gets no reasoning of another model',
    upstream: [thinksAndCalls('Let me look.'), fails(401), says('21 °C')],
    config: () => ({
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

const text = (value: unknown, finish: string | null = null) => upstreamChunk({ content: value }, finish);
const notText = { failure: { code: 'provider_error', message: expect.stringContaining('is not supported') } };
const garbled = { failure: { code: 'provider_error', message: expect.stringContaining('no answer') } };
const brokenOff = { failure: { code: 'provider_error', message: expect.stringContaining('broke off') } };

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
    name: 'A picture as the answer is an error',
    upstream: [events(text([{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }], 'stop'), DONE)],
    outcome: notText,
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
  { name: 'Calls that are no list are an error', upstream: [events(callChunk('weather' as never))], outcome: garbled },
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

/** Continues with heartbeats for ever. */
const lingers =
  (beat: string, ...parts: readonly object[]): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(`data: ${JSON.stringify(part)}\n\n`);
    const beating = setInterval(() => response.write(beat), 100);
    response.once('close', () => clearInterval(beating));
  };

const COUNTS = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const ends: readonly Row[] = [
  {
    name: 'A text that ends with [DONE] alone has ended',
    upstream: [events(text('Hello'), DONE)],
    outcome: { text: 'Hello', finish: 'stop' },
  },
  {
    name: 'Calls that end with [DONE] alone have ended',
    upstream: [events(callChunk({ index: 0, id: 'c', ...fn('weather') }), DONE)],
    outcome: { calls: [{ id: 'c' }], finish: 'tool_calls' },
  },
  { name: '[DONE] without an answer is an error', upstream: [events(DONE)], outcome: brokenOff },
  {
    name: '[DONE] behind reasoning alone is an error',
    upstream: [events(upstreamChunk({ reasoning_content: 'Hm' }), DONE)],
    outcome: brokenOff,
    streamed: { ...brokenOff, reasoning: 'Hm' },
  },
  {
    name: 'A text without a finish_reason and without [DONE] is cut',
    upstream: [events(text('Hello'))],
    outcome: brokenOff,
    streamed: { ...brokenOff, text: 'Hello' },
  },
  {
    name: 'A finish_reason without [DONE] is an end',
    upstream: [events(text('Hello', 'length'))],
    outcome: { text: 'Hello', finish: 'length' },
  },
  {
    name: 'A whole answer without a finish_reason is whole',
    upstream: [whole({ content: 'Hello' }, { choices: [{ message: { content: 'Hello' } }] })],
    outcome: { text: 'Hello', finish: 'stop' },
  },
  {
    name: 'Heartbeats behind a finish_reason are not waited for',
    upstream: [lingers(': ping\n\n', text('Hello', 'stop'))],
    outcome: { text: 'Hello', finish: 'stop' },
  },
  {
    name: 'Empty events behind a finish_reason are not waited for',
    upstream: [lingers('data: {"choices":[]}\n\n', text('Hello', 'stop'))],
    outcome: { text: 'Hello', finish: 'stop' },
  },
  {
    name: 'The usage behind a finish_reason is waited for',
    upstream: [events(text('Hello', 'stop'), 700, { choices: [], usage: COUNTS })],
    outcome: { text: 'Hello', usage: COUNTS },
  },
  {
    name: 'A connection that breaks behind a finish_reason does no harm',
    upstream: [
      async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(text('Hello', 'stop'))}\n\n`);
        setTimeout(() => response.destroy(), 50);
      },
    ],
    outcome: { text: 'Hello', finish: 'stop' },
  },
  {
    name: 'Calls with the finish_reason stop end as calls',
    upstream: [events(callChunk({ index: 0, id: 'c', ...fn('weather') }, 'stop'), DONE)],
    outcome: { finish: 'tool_calls' },
  },
  {
    name: 'A finish_reason of another vendor is translated',
    upstream: [events(text('Hello', 'max_tokens'), DONE)],
    outcome: { finish: 'length' },
  },
  {
    name: 'A finish_reason that is an error is one',
    upstream: [events(text('Hello', 'error'), DONE)],
    outcome: brokenOff,
    streamed: { ...brokenOff, text: 'Hello' },
  },
];

const counts = (usage: object): Script => events(text('Hello', 'stop'), { choices: [], usage }, DONE);
const usages: readonly Row[] = [
  {
    name: 'A usage without a total is summed',
    upstream: [counts({ prompt_tokens: 700, completion_tokens: 3 })],
    outcome: { usage: { prompt_tokens: 700, completion_tokens: 3, total_tokens: 703 } },
  },
  {
    name: 'Fractions of tokens are rounded',
    upstream: [counts({ prompt_tokens: 7.6, completion_tokens: 3.2, total_tokens: 10.8 })],
    outcome: { usage: { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 } },
  },
  {
    name: 'A missing count follows from the others',
    upstream: [counts({ prompt_tokens: 700, total_tokens: 703 })],
    outcome: { usage: { completion_tokens: 3 } },
  },
  {
    name: 'Details of a usage are passed on',
    upstream: [counts({ ...COUNTS, prompt_tokens_details: { cached_tokens: 5 } })],
    outcome: { usage: { ...COUNTS, prompt_tokens_details: { cached_tokens: 5 } } },
  },
  {
    name: 'The last usage of several counts',
    upstream: [
      events(
        { ...text('Hel'), usage: { ...COUNTS, completion_tokens: 1, total_tokens: 8 } },
        {
          ...text('lo', 'stop'),
          usage: COUNTS,
        },
        DONE,
      ),
    ],
    outcome: { text: 'Hello', usage: COUNTS },
  },
];

const failed = (status: number, code: string, message = '') => ({
  ...{ status, failure: { code, message: expect.stringContaining(message) } },
});
const inStream = (error: object): Script => events({ error });
/** Headers that clients read before they retry. */
const retryHeaders = ({ headers }: Outcome) => [headers.get('x-should-retry'), headers.get('retry-after')];

const failures: readonly Row[] = [
  {
    name: 'A used up quota is not a limit that passes',
    upstream: [fails(429, { code: 'insufficient_quota', message: 'You exceeded your current quota' })],
    outcome: failed(502, 'provider_error', 'no quota or credit left'),
    attempts: 1,
    check: (_, outcome) => expect(retryHeaders(outcome)).toEqual(['false', null]),
  },
  {
    name: 'A used up quota that only the type names is one',
    upstream: [fails(429, { code: null, type: 'exceeded_current_quota_error', message: 'x' })],
    outcome: failed(502, 'provider_error', 'no quota or credit left'),
    attempts: 1,
  },
  {
    name: 'Status 402 is an empty account',
    upstream: [fails(402, { message: 'Insufficient Balance' })],
    outcome: failed(502, 'provider_error', 'no quota or credit left'),
    attempts: 1,
  },
  {
    name: 'A used up quota inside a stream is one',
    upstream: [inStream({ code: 'insufficient_quota', message: 'x' })],
    outcome: failed(502, 'provider_error', 'no quota or credit left'),
    attempts: 1,
  },
  {
    name: 'A pause of a fraction of a second is waited for',
    upstream: [fails(429, {}, { 'retry-after': '0.2' }), says('ok')],
    outcome: { text: 'ok' },
    attempts: 2,
  },
  {
    name: 'A pause until a date is waited for',
    upstream: [fails(429, {}, { 'retry-after': new Date(0).toUTCString() }), says('ok')],
    outcome: { text: 'ok' },
    attempts: 2,
  },
  {
    name: 'A long pause in fractions is passed on in whole seconds',
    upstream: [fails(429, {}, { 'retry-after': '30.5' })],
    outcome: failed(429, 'rate_limit'),
    attempts: 1,
    check: (_, outcome) => expect(retryHeaders(outcome)).toEqual([null, '31']),
  },
  {
    name: 'A long pause until a date is passed on in seconds',
    upstream: [fails(429, {}, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() })],
    outcome: failed(429, 'rate_limit'),
    attempts: 1,
    check: (_, { headers }) => expect(Number(headers.get('retry-after'))).toBeGreaterThan(60),
  },
  {
    name: 'A pause in milliseconds is waited for',
    upstream: [fails(429, {}, { 'retry-after-ms': '50', 'retry-after': '60' }), says('ok')],
    outcome: { text: 'ok' },
    attempts: 2,
  },
  {
    name: 'A limit that stays asks clients not to repeat our own attempts',
    upstream: [fails(429, {}, { 'retry-after': '0' })],
    outcome: failed(429, 'rate_limit'),
    attempts: 3,
    check: (_, outcome) => expect(retryHeaders(outcome)).toEqual(['false', '0']),
  },
  {
    name: 'Status 502 is a provider that fails, after our own attempts',
    upstream: [fails(502)],
    outcome: failed(502, 'provider_error'),
    attempts: 3,
    check: (_, outcome) => expect(retryHeaders(outcome)).toEqual(['false', null]),
  },
  { name: 'Status 503 is a provider that fails', upstream: [fails(503)], outcome: failed(502, 'provider_error') },
  { name: 'Status 529 is a provider that fails', upstream: [fails(529)], outcome: failed(502, 'provider_error') },
  { name: 'Status 504 is a timeout', upstream: [fails(504)], outcome: failed(504, 'timeout') },
  { name: 'Status 408 is a timeout', upstream: [fails(408)], outcome: failed(504, 'timeout') },
  { name: 'Status 403 is a refused key', upstream: [fails(403)], outcome: failed(502, 'auth_error'), attempts: 1 },
  {
    name: 'A limit inside a stream is asked again',
    upstream: [inStream({ code: 429, message: 'slow down' }), says('ok')],
    outcome: { text: 'ok' },
    attempts: 2,
  },
  {
    name: 'A timeout inside a stream is one',
    upstream: [inStream({ type: 'timeout_error', message: 'x' })],
    outcome: failed(504, 'timeout'),
  },
  {
    name: 'A conversation that is too long is said so inside a stream',
    upstream: [inStream({ message: 'maximum context length exceeded' })],
    outcome: failed(400, 'context_overflow'),
    attempts: 1,
  },
  {
    name: 'A provider that recovers is asked again',
    upstream: [fails(503), says('ok')],
    outcome: { text: 'ok' },
    attempts: 2,
  },
  {
    name: 'A fallback’s failure asks clients not to repeat it',
    upstream: [fails(401)],
    config: () => ({
      model: { fallbacks: [{ provider: 'openai-compatible', name: 'second', base_url: provider.baseUrl }] },
    }),
    outcome: failed(502, 'auth_error'),
    attempts: 2,
    check: (_, outcome) => expect(retryHeaders(outcome)[0]).toBe('false'),
  },
];

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
    config: () => ({ model: { omit_parameters: ['temperature', 'stream_options', 'seed', 'max_tokens', 'stop'] } }),
    requests: [{ ...asks(user()), temperature: 1, seed: 1, max_tokens: 5, stop: ['a'], top_p: 0.5 }],
    sent: { top_p: 0.5 },
    check: ([body]) =>
      expect(Object.keys(body!)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(temperature|stream_options|seed|max_tokens|stop)$/)]),
      ),
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

const service = useService();
let provider: ScriptedProvider;
let weather: ToolServer;
let plain: ShownApplication;
beforeAll(async () => {
  provider = await scriptedProvider();
  weather = await toolServer((_, response) => void response.end('21'));
  plain = await applicationOn(service, provider.baseUrl);
});
afterAll(() => Promise.all([provider.stop(), weather.stop()]));
beforeEach(refillLimits);

let sessions = 0;

async function play(row: Row, way: Way): Promise<void> {
  const { id } = row.config ? await applicationOn(service, provider.baseUrl, row.config()) : plain;
  const requests = row.requests ?? [asks(user())];
  const headers: Record<string, string> = requests.length > 1 ? { 'x-session-id': `session ${++sessions}` } : {};
  provider.plays(...row.upstream);
  let outcome: Outcome | undefined;
  for (const request of requests) {
    if (outcome?.failure) throw new Error(`An earlier request failed: ${JSON.stringify(outcome.failure)}`);
    await refillLimits();
    outcome = await outcomeOf(way, service, id, { tools: TOOLS, ...request }, headers);
  }
  const sent = provider.requests.map(({ body }) => body);
  const expected = { ...row.outcome, ...(way === 'streamed' && row.streamed) } as { failure?: unknown };
  expect(outcome).toMatchObject({ ...(expected.failure === undefined && { failure: null }), ...expected });
  if (row.sent) expect(sent.at(-1)).toMatchObject(withPatterns(row.sent) as object);
  if (row.attempts !== undefined) expect(sent).toHaveLength(row.attempts);
  row.check?.(sent, outcome!);
}

/** Regular expressions stand for texts that they match. */
function withPatterns(value: unknown): unknown {
  if (value instanceof RegExp) return expect.stringMatching(value);
  if (Array.isArray(value)) return value.map(withPatterns);
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withPatterns(each)]));
}

describe.each(['whole', 'streamed'] as const)('An answer that is asked for %s', (way) => {
  describe.each([
    ['histories with tools', histories],
    ['broken arguments', brokenArguments],
    ['prompts', prompts],
    ['reasoning', reasoning],
    ['forms of answers', forms],
    ['ends of answers', ends],
    ['usage', usages],
    ['failures', failures],
    ['parameters', parameters],
  ] as const)('%s', (_, rows) => {
    it.each(rows.map((row) => [row.name, row] as const))('%s', (_name, row) => play(row, way));
  });
});
