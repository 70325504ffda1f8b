import { expect } from 'vitest';
import type { Outcome } from '../../helpers/chat-outcome.ts';
import { events, fails, type Script, says, upstreamChunk } from '../../helpers/scripted-provider.ts';
import { brokenOff, callChunk, DONE, describeRows, fn, type Row, text, whole } from '../../helpers/upstream-rows.ts';

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
    config: ({ provider }) => ({
      model: { fallbacks: [{ provider: 'openai-compatible', name: 'second', base_url: provider.baseUrl }] },
    }),
    outcome: failed(502, 'auth_error'),
    attempts: 2,
    check: (_, outcome) => expect(retryHeaders(outcome)[0]).toBe('false'),
  },
];

describeRows([
  ['ends of answers', ends],
  ['usage', usages],
  ['failures', failures],
]);
