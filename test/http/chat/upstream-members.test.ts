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
  type Row,
  result,
  user,
  whole,
} from '../../helpers/upstream-rows.ts';

/** Thought signatures of Gemini: https://ai.google.dev/gemini-api/docs/openai */
const SIGNED = { extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } } };
/** Of OpenRouter: https://openrouter.ai/docs/use-cases/reasoning-tokens */
const DETAILS = [
  { type: 'reasoning.text', text: 'Let me look.', signature: 'sig-1', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'AAAA', id: 'rs_1', format: 'openai-responses-v1', index: 1 },
];
const DETAIL_PIECES = [
  { type: 'reasoning.text', text: 'Let me ', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.text', text: 'look.', index: 0 },
  { type: 'reasoning.text', signature: 'sig-1', index: 0 },
  DETAILS[1],
];

const weatherCall = (name = 'weather', members: object = SIGNED) => ({
  ...{ index: 0, id: 'c', type: 'function', function: { name, arguments: '{"city":"Seoul"}' } },
  ...members,
});
const signedCall = (name?: string): Script => events(callChunk(weatherCall(name), 'tool_calls'), DONE);
const detailedCall = (name = 'weather'): Script =>
  events(
    ...DETAIL_PIECES.map((piece) => upstreamChunk({ reasoning_details: [piece] })),
    callChunk(weatherCall(name, {}), 'tool_calls'),
    DONE,
  );
const answersIn = (body: ProviderRequest['body'] | undefined) =>
  body!.messages.filter(({ role }) => role === 'assistant') as {
    readonly tool_calls?: readonly Record<string, unknown>[];
    readonly [member: string]: unknown;
  }[];
const callsIn = (body: ProviderRequest['body'] | undefined) =>
  answersIn(body).flatMap(({ tool_calls = [] }) => tool_calls);
const withWeather: NonNullable<Row['config']> = ({ weather }) => ({
  tools: [{ type: 'http', openapi: WEATHER_API, server: weather.url, operation_id: 'getWeather' }],
});
const withSecond: NonNullable<Row['config']> = ({ provider }) => ({
  model: { fallbacks: [{ provider: 'openai-compatible', name: 'second', base_url: provider.baseUrl }] },
});
const LARGE = { extra_content: { google: { thought_signature: 'x'.repeat(1_000_000) } } };

const given: readonly Row[] = [
  {
    name: 'A call’s signature reaches the client',
    upstream: [signedCall()],
    outcome: { members: {}, calls: [{ id: 'c', members: SIGNED }] },
  },
  {
    name: 'Details of the reasoning reach the client, whole or in pieces',
    upstream: [detailedCall()],
    outcome: { members: { reasoning_details: DETAILS } },
    streamed: { members: { reasoning_details: DETAIL_PIECES } },
  },
  {
    name: 'Details of a whole answer reach the client',
    upstream: [whole({ content: 'Hello', reasoning_details: DETAILS })],
    outcome: { text: 'Hello', members: { reasoning_details: DETAILS } },
  },
  {
    name: 'The signature of a text reaches the client',
    upstream: [events(upstreamChunk({ content: 'Hi' }), upstreamChunk(SIGNED, 'stop'), DONE)],
    outcome: { text: 'Hi', members: SIGNED },
  },
  {
    name: 'Signature members that no one knows yet reach the client',
    upstream: [whole({ content: 'Hi', acme_reasoning_signature: 'abc' })],
    outcome: { members: { acme_reasoning_signature: 'abc' } },
  },
  {
    name: 'Any other member stays behind',
    upstream: [whole({ content: 'Hi', prefix: true, executed_tools: [{ name: 'x' }] })],
    check: (_, { members }) => expect(members).toEqual({}),
  },
  {
    name: 'A signature of 1 MB is left out',
    upstream: [events(callChunk(weatherCall('weather', LARGE), 'tool_calls'), DONE)],
    outcome: { calls: [{ id: 'c', name: 'weather' }] },
    check: (_, { calls }) => expect(calls[0]!.members).toEqual({}),
  },
  {
    name: 'Details that are too large in all are left out as a whole',
    upstream: [
      events(
        ...Array.from({ length: 3 }, () =>
          upstreamChunk({ reasoning_details: [{ type: 'reasoning.text', text: 'x'.repeat(100_000), index: 0 }] }),
        ),
        callChunk(weatherCall('weather', {}), 'tool_calls'),
        DONE,
      ),
      says('21 °C'),
    ],
    requests: [asks(user()), asks(result('c', '21'))],
    check: (bodies) => expect(answersIn(bodies[1])[0]).not.toHaveProperty('reasoning_details'),
  },
  {
    name: 'Members of a fallback are kept from clients, who would return them to another model',
    upstream: [fails(401), signedCall()],
    config: withSecond,
    outcome: { calls: [{ name: 'weather' }] },
    check: (_, { calls }) => expect(calls[0]!.members).toEqual({}),
  },
];

const returned: readonly Row[] = [
  {
    name: 'A client returns the signature of a call to the model',
    upstream: [says('21 °C')],
    requests: [
      asks(
        user(),
        { ...called(), tool_calls: [{ ...called(['c', 'weather']).tool_calls[0], ...SIGNED }] },
        result('c', '21'),
      ),
    ],
    check: ([body]) => expect(callsIn(body)).toMatchObject([{ id: 'c', ...SIGNED }]),
  },
  {
    name: 'A client returns the details of the reasoning, also without calls',
    upstream: [says('ok')],
    requests: [asks(user(), { role: 'assistant', content: '1', reasoning_details: DETAILS }, user('2'))],
    check: ([body]) => expect(answersIn(body)[0]!.reasoning_details).toEqual(DETAILS),
  },
  {
    name: 'A signature of 1 MB that a client invents does not reach the model',
    upstream: [says('ok')],
    requests: [asks(user(), { role: 'assistant', content: '1', ...LARGE }, user('2'))],
    check: ([body]) => expect(answersIn(body)).toEqual([{ role: 'assistant', content: '1' }]),
  },
  {
    name: 'A session returns the signature of a call',
    upstream: [signedCall(), says('21 °C')],
    requests: [asks(user()), asks(result('c', '21'))],
    check: (bodies) => expect(callsIn(bodies[1])).toMatchObject([SIGNED]),
  },
  {
    name: 'A session returns details of the reasoning as they were before they came in pieces',
    upstream: [detailedCall(), says('21 °C'), says('ok')],
    requests: [asks(user()), asks(result('c', '21')), asks(user('2'))],
    check: (bodies) => {
      for (const body of bodies.slice(1)) expect(answersIn(body)[0]!.reasoning_details).toEqual(DETAILS);
    },
  },
  {
    name: 'A session returns thinking blocks as they were before they came in pieces',
    upstream: [
      events(
        ...[
          { thinking: 'Let me ' },
          { thinking: 'look.' },
          { thinking: '', signature: 's1' },
          { thinking: 'Now.' },
        ].map((piece) => upstreamChunk({ thinking_blocks: [{ type: 'thinking', ...piece }] })),
        callChunk(weatherCall('weather', {}), 'tool_calls'),
        DONE,
      ),
      says('21 °C'),
    ],
    requests: [asks(user()), asks(result('c', '21'))],
    check: (bodies) =>
      expect(answersIn(bodies[1])[0]!.thinking_blocks).toEqual([
        { type: 'thinking', thinking: 'Let me look.', signature: 's1' },
        { type: 'thinking', thinking: 'Now.' },
      ]),
  },
  {
    name: 'The signature of a call of the application’s tool goes back with the result',
    upstream: [signedCall('getWeather'), says('21 °C')],
    config: withWeather,
    outcome: { text: '21 °C' },
    check: (bodies) => expect(callsIn(bodies[1])).toMatchObject([SIGNED]),
  },
  {
    name: 'Details of the reasoning before a call of the application’s tool go back with the result',
    upstream: [detailedCall('getWeather'), says('21 °C')],
    config: withWeather,
    check: (bodies) => expect(answersIn(bodies[1])[0]!.reasoning_details).toEqual(DETAILS),
  },
  {
    name: 'A session returns the signature of the application’s tool call with the next question',
    upstream: [signedCall('getWeather'), says('21 °C'), says('ok')],
    config: withWeather,
    requests: [asks(user()), asks(user('2'))],
    check: (bodies) => expect(callsIn(bodies[2])).toMatchObject([SIGNED]),
  },
  {
    name: 'A fallback gets no signature of another model, and the first model keeps it',
    upstream: [signedCall(), fails(401), says('21 °C'), says('ok')],
    config: withSecond,
    requests: [asks(user()), asks(result('c', '21')), asks(user('2'))],
    check: (bodies) => {
      const signatures = bodies.slice(1).map((body) => callsIn(body).map(({ extra_content }) => extra_content));
      expect(signatures).toEqual([[SIGNED.extra_content], [undefined], [SIGNED.extra_content]]);
    },
  },
  {
    name: 'The signature of a fallback goes back to the fallback only',
    upstream: [fails(401), signedCall(), fails(401), says('21 °C')],
    config: withSecond,
    requests: [asks(user()), asks(result('c', '21'))],
    check: (bodies) => {
      const signatures = bodies.slice(2).map((body) => callsIn(body).map(({ extra_content }) => extra_content));
      expect(signatures).toEqual([[undefined], [SIGNED.extra_content]]);
    },
  },
];

describeRows([
  ['opaque members that are given', given],
  ['opaque members that are returned', returned],
]);
