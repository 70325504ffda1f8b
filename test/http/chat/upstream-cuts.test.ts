import { expect } from 'vitest';
import { events, type Script, upstreamChunk } from '../../helpers/scripted-provider.ts';
import {
  brokenOff,
  callChunk,
  DONE,
  describeInAllWays,
  fn,
  notText,
  type Row,
  text,
  whole,
} from '../../helpers/upstream-rows.ts';

/** Ends of answers and forms of calls, by the words of each vendor; where these are from is said in `finish-reasons.ts`. */

const ENDS: Readonly<Record<string, readonly string[]>> = {
  stop: [
    ...['stop', 'STOP', 'end_turn', 'stop_sequence', 'COMPLETE', 'eos', 'eos_token', 'normal', 'FinishReason.STOP'],
  ],
  length: ['length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'model_context_window_exceeded', 'ERROR_LIMIT'],
  content_filter: [
    ...['content_filter', 'SAFETY', 'RECITATION', 'sensitive', 'refusal', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'],
    ...['content_filter: PROHIBITED_CONTENT', 'guardrail_intervened', 'content_filtered'],
  ],
};
const CUTS = [
  ...[
    'error',
    'abort',
    'network_error',
    'malformed_function_call',
    'MALFORMED_FUNCTION_CALL',
    'function_call_filter: X',
  ],
  ...[
    'insufficient_system_resource',
    'pause_turn',
    'OTHER',
    'UNEXPECTED_TOOL_CALL',
    'repetition',
    'timeout',
    'a_new_word',
  ],
];

const ends: readonly Row[] = [
  ...Object.entries(ENDS).flatMap(([finish, words]) =>
    words.map((word) => ({
      name: `${word} is the end ${finish}`,
      upstream: [events(text('Hello'), text('', word), DONE)],
      outcome: { text: 'Hello', finish },
    })),
  ),
  ...CUTS.map((word) => ({
    name: `${word} is not an end of a whole answer`,
    upstream: [events(text('Hello'), text('', word), DONE)],
    outcome: brokenOff,
    streamed: { ...brokenOff, text: 'Hello' },
  })),
  {
    name: 'The words null and none are not an end',
    upstream: [events(text('Hel', 'null'), text('lo', 'none'), text('', 'stop'), DONE)],
    outcome: { text: 'Hello', finish: 'stop' },
  },
  {
    name: 'An answer that is empty because of a filter says so',
    upstream: [events(text('', 'content_filter: PROHIBITED_CONTENT'), DONE)],
    outcome: { text: '', finish: 'content_filter' },
  },
  {
    name: 'An end of calls without a call is not a whole answer',
    upstream: [events(text('', 'tool_calls'), DONE)],
    outcome: brokenOff,
  },
  {
    name: 'An end of calls behind a text alone is an end',
    upstream: [events(text('Hello', 'tool_calls'), DONE)],
    outcome: { text: 'Hello', finish: 'stop' },
  },
];

const raw =
  (body: string, type = 'text/event-stream'): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };
const HELLO = `data: ${JSON.stringify(text('Hello'))}\n\n`;
/** Servers send them behind a part of the answer, and some end the stream as usual. */
const ERRORS: Readonly<Record<string, string>> = {
  'An event with a code and a message': 'data: {"code":20012,"message":"upstream gone"}\n\n',
  'An event with a detail': 'data: {"detail":"upstream gone"}\n\n',
  'An event whose object is error': 'data: {"object":"error","message":"upstream gone","code":50000}\n\n',
  'An event whose type is error': 'data: {"type":"error","error":{"type":"x","message":"upstream gone"}}\n\n',
  'A list of errors': 'data: [{"error":{"code":999,"message":"upstream gone","status":"UNKNOWN"}}]\n\n',
  'The event error with a message': 'event: error\ndata: {"message":"upstream gone"}\n\n',
  'The event error with unknown members': 'event: error\ndata: {"reason_text":"upstream gone"}\n\n',
  'The event error with a text': 'event: error\ndata: upstream gone\n\n',
  'The event error without data': 'event: error\ndata:\n\n',
  'The field error': 'error: {"message":"upstream gone"}\n\n',
  'The error of a choice': `data: {"choices":[{"index":0,"delta":{"content":""},"error":{"code":999,"message":"upstream gone"}}]}\n\n`,
  'A status of MiniMax': 'data: {"choices":null,"base_resp":{"status_code":1000,"status_msg":"upstream gone"}}\n\n',
  'A text as error': 'data: {"error":"upstream gone"}\n\n',
};
const streamErrors: readonly Row[] = Object.entries(ERRORS).map(([name, event]) => ({
  name: `${name} behind a part of an answer is an error`,
  upstream: [raw(`${HELLO}${event}${DONE}`)],
  outcome: brokenOff,
  streamed: { ...brokenOff, text: 'Hello' },
}));

const WHOLE_ERRORS: Readonly<Record<string, string>> = {
  'A code and a message': '{"code":20012,"message":"upstream gone","data":null}',
  'A list of errors': '[{"error":{"code":999,"message":"upstream gone"}}]',
  'A detail': '{"detail":"upstream gone"}',
  'The error of a choice': '{"choices":[{"index":0,"error":{"code":999,"message":"upstream gone"},"message":null}]}',
  'A status of MiniMax': '{"id":"1","choices":null,"base_resp":{"status_code":1000,"status_msg":"upstream gone"}}',
  'A message and no choices': '{"choices":null,"message":"upstream gone"}',
};
const wholeErrors: readonly Row[] = [
  ...Object.entries(WHOLE_ERRORS).flatMap(([name, body]) =>
    ['application/json', 'text/event-stream'].map((type) => ({
      name: `${name} with the status 200 and the type ${type} is an error`,
      upstream: [raw(body, type)],
      outcome: { failure: { code: 'provider_error', message: expect.stringContaining('upstream gone') } },
    })),
  ),
  {
    name: 'A status 0 of MiniMax is a success',
    upstream: [whole({ content: 'Hello' }, { base_resp: { status_code: 0, status_msg: '' } })],
    outcome: { text: 'Hello' },
  },
  {
    name: 'Pings are not errors',
    upstream: [raw(`event: ping\ndata: {"type":"ping"}\n\n${HELLO}data: ${JSON.stringify(text('', 'stop'))}\n\n`)],
    outcome: { text: 'Hello' },
  },
];

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const CITED = { url: 'https://a.example/1', title: 'One', start_index: 0, end_index: 5 };
const cited = (url: string, title = url) => ({
  ...{ type: 'url_citation', url_citation: { url, title, start_index: 0, end_index: 0 } },
});
const attachments: readonly Row[] = [
  {
    name: 'A picture in addition to the text reaches the client',
    upstream: [events(text('Look'), upstreamChunk({ images: [{ ...IMAGE, index: 0 }] }, 'stop'), DONE)],
    outcome: { text: 'Look', members: { images: [IMAGE] } },
  },
  {
    name: 'A picture without a text is an answer',
    upstream: [whole({ content: '', images: [IMAGE] })],
    outcome: { members: { images: [IMAGE] } },
  },
  {
    name: 'A picture at an address that runs a script is an error',
    upstream: [whole({ content: '', images: [{ ...IMAGE, image_url: { url: 'javascript:alert(1)' } }] })],
    outcome: notText,
  },
  {
    name: 'Audio is an error',
    upstream: [whole({ content: null, audio: { id: 'a', data: 'AAAA', transcript: 'Hi' } })],
    outcome: notText,
  },
  {
    name: 'Sources of a text reach the client',
    upstream: [
      events(text('Hello'), upstreamChunk({ annotations: [{ type: 'url_citation', url_citation: CITED }] }, 'stop')),
    ],
    outcome: { text: 'Hello', members: { annotations: [{ type: 'url_citation', url_citation: CITED }] } },
  },
  {
    name: 'A flat source has the form of the others',
    upstream: [whole({ content: 'Hello', annotations: [{ type: 'url_citation', ...CITED }] })],
    outcome: { members: { annotations: [{ type: 'url_citation', url_citation: CITED }] } },
  },
  {
    name: 'A source at an address that runs a script is left out',
    upstream: [
      whole({
        content: 'Hello',
        annotations: [cited('javascript:alert(1)'), cited('https://a.example/1'), { type: 'file' }],
      }),
    ],
    check: (_, { members }) => expect(members.annotations).toEqual([cited('https://a.example/1')]),
  },
  {
    name: 'Addresses that come with each chunk are sources, once',
    upstream: [
      events(
        ...[text('Hel'), text('lo', 'stop')].map((chunk) => ({
          ...chunk,
          citations: ['https://a.example/1', 'javascript:x'],
        })),
      ),
    ],
    outcome: { text: 'Hello' },
    check: (_, { members }) => expect(members.annotations).toEqual([cited('https://a.example/1')]),
  },
  {
    name: 'Results of a search are sources with their titles',
    upstream: [
      whole(
        { content: 'Hello' },
        { citations: ['https://a.example/1'], search_results: [{ url: 'https://a.example/1', title: 'One' }] },
      ),
    ],
    outcome: { members: { annotations: [cited('https://a.example/1', 'One')] } },
  },
];

const choice = (index: number, delta: object, finish_reason: string | null = null) => ({
  choices: [{ index, delta, finish_reason }],
});
const WHOLE_CALL = fn('weather', '{"a":1}');
const fragments: readonly Row[] = [
  {
    name: 'Fragments of one index with different ids are one call',
    upstream: [
      events(
        callChunk({ index: 0, id: 'c1', ...fn('weather', '') }),
        callChunk({ index: 0, id: 'c2', function: { arguments: '{"a"' } }),
        callChunk({ index: 0, id: 'c3', function: { arguments: ':1}' } }, 'tool_calls'),
        DONE,
      ),
    ],
    outcome: { calls: [{ id: 'c1', name: 'weather', arguments: '{"a":1}' }], finish: 'tool_calls' },
  },
  {
    name: 'Fragments of one index with different ids and the name in each are one call',
    upstream: [
      events(
        ...['{"a"', ':', '1}'].map((part, index) => callChunk({ index: 0, id: `c${index}`, ...fn('weather', part) })),
        text('', 'tool_calls'),
        DONE,
      ),
    ],
    outcome: { calls: [{ id: 'c0', name: 'weather', arguments: '{"a":1}' }], finish: 'tool_calls' },
  },
  {
    name: 'Two whole calls without index and id are two',
    upstream: [events(callChunk(WHOLE_CALL), callChunk(fn('weather', '{"a":2}'), 'tool_calls'), DONE)],
    outcome: { calls: [{ arguments: '{"a":1}' }, { arguments: '{"a":2}' }], finish: 'tool_calls' },
  },
  {
    name: 'Two whole calls of one index with different ids are two',
    upstream: [
      events(
        callChunk({ index: 0, id: 'c1', ...WHOLE_CALL }),
        callChunk({ index: 0, id: 'c2', ...WHOLE_CALL }, 'tool_calls'),
        DONE,
      ),
    ],
    outcome: { calls: [{ id: 'c1' }, { id: 'c2' }], finish: 'tool_calls' },
  },
  {
    name: 'Two calls of one index without arguments are two',
    upstream: [
      events(
        callChunk({ index: 0, id: 'c1', ...fn('time', '') }),
        callChunk({ index: 0, id: 'c2', ...fn('time', '') }, 'tool_calls'),
        DONE,
      ),
    ],
    outcome: { calls: [{ id: 'c1' }, { id: 'c2' }], finish: 'tool_calls' },
  },
  {
    name: 'The text of another choice is not mixed in',
    upstream: [
      events(
        ...[
          choice(0, { content: 'Hel' }),
          choice(1, { content: 'Bye' }),
          choice(1, {}, 'length'),
          choice(0, { content: 'lo' }),
        ],
        ...[choice(0, {}, 'stop'), DONE],
      ),
    ],
    outcome: { text: 'Hello', finish: 'stop' },
  },
  {
    name: 'A whole message behind its pieces does not double the text',
    upstream: [
      events(text('Hel'), text('lo'), {
        choices: [{ index: 0, delta: { content: '' }, message: { content: 'Hello' }, finish_reason: 'stop' }],
      }),
    ],
    outcome: { text: 'Hello' },
  },
  {
    name: 'A whole message behind its pieces does not double the calls',
    upstream: [
      events(callChunk({ index: 0, id: 'c', ...WHOLE_CALL }), {
        choices: [
          {
            index: 0,
            message: { content: null, tool_calls: [{ id: 'c', ...WHOLE_CALL }] },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    ],
    outcome: { calls: [{ id: 'c', arguments: '{"a":1}' }], finish: 'tool_calls' },
  },
  {
    name: 'A whole message behind the pieces of its text brings its calls',
    upstream: [
      events(text('Hello'), {
        choices: [
          {
            index: 0,
            message: { content: 'Hello', tool_calls: [{ id: 'c', ...WHOLE_CALL }] },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    ],
    outcome: { text: 'Hello', calls: [{ id: 'c', arguments: '{"a":1}' }], finish: 'tool_calls' },
  },
];

describeInAllWays([
  ['words for an end', ends],
  ['errors in streams', streamErrors],
  ['errors in the place of answers', wholeErrors],
  ['pictures and sources', attachments],
  ['fragments of calls', fragments],
]);
