import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applicationOn, createApplication, type Service, type ShownApplication } from './chat.ts';
import { type Outcome, outcomeOf, type Way } from './chat-outcome.ts';
import { refillLimits } from './limits.ts';
import {
  callsTool,
  type ProviderRequest,
  type Script,
  type ScriptedProvider,
  says,
  scriptedProvider,
  upstreamChunk,
} from './scripted-provider.ts';
import { useService } from './service.ts';
import { type ToolServer, toolServer, WEATHER_API } from './tool-servers.ts';
import { publishedWorkflow } from './workflows/calls.ts';
import { graph, node } from './workflows/graphs.ts';

/** The servers that a row's configuration may name. */
interface Servers {
  readonly provider: ScriptedProvider;
  readonly weather: ToolServer;
}

type Groups = readonly (readonly [about: string, rows: readonly Row[]])[];

/** Behaviours of servers with OpenAI's API, and their interpretation: each row is requested whole and as a stream. */
export interface Row {
  /** A sentence. */
  readonly name: string;
  /** For the requests of one way, the last one for all that remain. */
  readonly upstream: readonly Script[];
  /** Several are the requests of one session: the outcome is the last one's. */
  readonly requests?: readonly object[];
  readonly config?: (servers: Servers) => Record<string, unknown>;
  readonly outcome?: object;
  /** Only of a stream that had started. */
  readonly streamed?: object;
  /** The last request that the server got. */
  readonly sent?: object;
  readonly check?: (sent: readonly ProviderRequest['body'][], outcome: Outcome) => void;
  /** Requests that the server got for the row. */
  readonly attempts?: number;
}

export const DONE = 'data: [DONE]\n\n';
export const user = (content: unknown = 'Hello') => ({ role: 'user', content });
export const called = (...calls: readonly (readonly [id: string, name: string, args?: string])[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: calls.map(([id, name, args = '{}']) => ({ id, type: 'function', function: { name, arguments: args } })),
});
export const result = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content });
export const asks = (...messages: readonly object[]) => ({ messages });
export const TOOLS = ['weather', 'time'].map((name) => ({ type: 'function', function: { name } }));
/** A call as it comes in a stream. */
export const callChunk = (call: object, finish: string | null = null) => upstreamChunk({ tool_calls: [call] }, finish);
export const fn = (name: string, args: unknown = '{}') => ({ function: { name, arguments: args } });
export const whole =
  (message: object, rest: object = {}): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], ...rest }));
  };

/** The model's view of each tool call: the text of its result. */
export const resultsIn = (body: ProviderRequest['body']) =>
  body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
export const idsIn = (body: ProviderRequest['body']) =>
  body.messages.flatMap(({ tool_calls }) => ((tool_calls ?? []) as { id: string }[]).map(({ id }) => id));
export const text = (value: unknown, finish: string | null = null) => upstreamChunk({ content: value }, finish);
export const notText = { failure: { code: 'provider_error', message: expect.stringContaining('is not supported') } };
export const garbled = { failure: { code: 'provider_error', message: expect.stringContaining('not an answer') } };
export const brokenOff = { failure: { code: 'provider_error', message: expect.stringContaining('broke off') } };

const WAYS = ['whole', 'streamed', 'in a session', 'behind a tool call', 'by an agent node'] as const;

/** Requests rows of one question whole, streamed, in a session, behind a call of the application’s tool, and by an agent node of a workflow. */
export function describeInAllWays(groups: Groups): void {
  describeRows(groups, WAYS);
}

/** Requests each row whole and as a stream. */
export function describeRows(groups: Groups, ways: readonly (typeof WAYS)[number][] = ['whole', 'streamed']): void {
  const service = useService();
  let servers: Servers;
  let plain: ShownApplication;
  let withTool: ShownApplication;
  let byNode: ShownApplication;
  beforeAll(async () => {
    const provider = await scriptedProvider();
    const weather = await toolServer((_, response) => void response.end('21'));
    servers = { provider, weather };
    plain = await applicationOn(service, provider.baseUrl);
    if (ways === WAYS) {
      withTool = await applicationOn(service, provider.baseUrl, {
        tools: [{ type: 'http', openapi: WEATHER_API, server: weather.url, operation_id: 'getWeather' }],
      });
      byNode = await agentNodeOn(service, plain.id);
    }
  });
  afterAll(() => Promise.all([servers.provider.stop(), servers.weather.stop()]));
  beforeEach(refillLimits);

  let sessions = 0;

  async function play(row: Row, way: Way): Promise<void> {
    const { provider } = servers;
    const { id } = row.config ? await applicationOn(service, provider.baseUrl, row.config(servers)) : plain;
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

  /** The row’s behaviour in another place than a plain answer: it ends in the same way there. */
  async function playElsewhere(row: Row, way: (typeof WAYS)[number]): Promise<void> {
    const { provider } = servers;
    const application = { 'in a session': plain, 'behind a tool call': withTool, 'by an agent node': byNode }[
      way as string
    ]!;
    const first = way === 'behind a tool call' ? [callsTool('getWeather', '{"city":"Seoul"}', 'own')] : [];
    provider.plays(...first, ...row.upstream);
    const headers: Record<string, string> = way === 'in a session' ? { 'x-session-id': `session ${++sessions}` } : {};
    const tools = way === 'by an agent node' ? {} : { tools: TOOLS };
    const outcome = await outcomeOf('whole', service, application.id, { ...asks(user()), ...tools }, headers);
    const { failure = null, text: said = null, calls, finish } = (row.outcome ?? {}) as Partial<Outcome>;
    if (way === 'by an agent node') {
      // The node makes the request, so that its fault is none of the client’s.
      const ofNode = failure?.code === 'invalid_request' ? { ...failure, code: 'tool_error' } : failure;
      expect(outcome).toMatchObject({ failure: ofNode, ...(said !== null && { text: said }) });
    } else
      expect(outcome).toMatchObject({ failure, ...(said !== null && { text: said }), ...(calls && { calls, finish }) });
    if (way !== 'in a session' || failure === null) return;
    provider.plays(says('ok'));
    expect((await outcomeOf('whole', service, plain.id, asks(user('Again')), headers)).text).toBe('ok');
    expect(provider.requests[0]!.body.messages).toEqual([user('Again')]);
  }

  describe.each(ways)('An answer that is asked for %s', (way) => {
    describe.each(groups)('%s', (_, rows) => {
      const played = rows.filter(({ outcome }) => way !== 'by an agent node' || isForNodes(outcome));
      it.each(played.map((row) => [row.name, row] as const))('%s', (_name, row) =>
        way === 'whole' || way === 'streamed' ? play(row, way) : playElsewhere(row, way),
      );
    });
  });
}

/** A node has no tools of clients, and gives its text. */
const isForNodes = (outcome: object = {}): boolean =>
  'failure' in outcome || ('text' in outcome && !('calls' in outcome));

async function agentNodeOn(service: Service, application_id: string): Promise<ShownApplication> {
  const nodes = [
    node('start', 'start', {}),
    node('ask', 'agent', { prompt: '{{sys.query}}', application_id }),
    node('say', 'answer', { text: '{{ask.text}}' }),
  ];
  const workflow_id = await publishedWorkflow(service, graph(nodes, ['start > ask', 'ask > say']));
  return createApplication(service, { type: 'workflow', config: { workflow_id } });
}

/** Regular expressions stand for texts that they match. */
function withPatterns(value: unknown): unknown {
  if (value instanceof RegExp) return expect.stringMatching(value);
  if (Array.isArray(value)) return value.map(withPatterns);
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withPatterns(each)]));
}
