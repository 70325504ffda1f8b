import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { complete, createApplication } from '../chat.ts';
import { says, scriptedProvider } from '../scripted-provider.ts';
import { envelope, runWorkflow } from './calls.ts';
import { importDify } from './dify.ts';
import type { DifyCase } from './dify-cases/case.ts';

/** Result of a run: an answer, or the outputs of an end; and the messages that models were sent, where texts of them are of the file. */
export type Given =
  | { readonly failed: true }
  | { readonly answer: string; readonly prompts?: readonly object[] }
  | { readonly outputs: Readonly<Record<string, unknown>> };

/** Results by the names of the cases. */
export type Results = Readonly<Record<string, Given>>;

/** Whether a file hands out outputs by name, in place of an answer. */
export const hasEnd = (dsl: string) => /type"?: ?"?end\b/.test(dsl);

interface Engine {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Classifiers and extractors ask in words of their engine's own. */
const showsPrompts = ({ name }: DifyCase) => name.startsWith('model/');

/** A server for the requests of files, which says what it was asked. */
async function echoServer() {
  const asked = new Map<string, number>();
  const server = http.createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const body = await text(request);
    const times = (asked.get(url) ?? 0) + 1;
    asked.set(url, times);
    const answers: Readonly<Record<string, readonly [status: number, type: string, body: string]>> = {
      missing: [404, 'application/json', '{"error": "not found"}'],
      broken: [500, 'text/plain', 'broken'],
      plain: [200, 'text/plain', 'plain text'],
      empty: [200, 'text/plain', ''],
      json: [200, 'application/json', '{"items": ["a", "b"]}'],
      busy: times > 2 ? [200, 'text/plain', 'at last'] : [503, 'text/plain', 'busy'],
    };
    const own = Object.entries(headers).filter(([name]) => /^(x-(one|two|key)|authorization)$/.test(name));
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    const echo = { method, url, ...Object.fromEntries(own), ...(body !== '' && { type, body }) };
    const [status, kind, answer] = answers[url.split('/')[1]!] ?? [200, 'application/json', JSON.stringify(echo)];
    response.writeHead(status, { 'content-type': kind, 'x-service': 'echo' }).end(answer);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

const AT_ONCE = 5;

/**
 * Runs cases in the service.
 * @param freshly a service whose limits have not been touched
 * @param batch how many cases run until it is asked for again
 */
export async function runHere(
  cases: readonly DifyCase[],
  freshly: () => Promise<Engine>,
  batch: number,
): Promise<Results> {
  const [server, provider] = [await echoServer(), await scriptedProvider()];
  const results: Record<string, Given> = {};
  const withServer = (each: DifyCase) => ({ ...each, dsl: each.dsl.replaceAll('{{SERVER}}', server.address) });
  try {
    for (let start = 0; start < cases.length; start += batch) {
      const service = await freshly();
      const some = cases.slice(start, start + batch).map(withServer);
      // A scripted model plays one script at a time.
      const alone = some.filter((each) => each.says !== null);
      const others = some.filter((each) => each.says === null);
      for (const each of alone) results[each.name] = await chatted(each, service, provider);
      const turns = Array.from({ length: AT_ONCE }, async (_, turn) => {
        for (let i = turn; i < others.length; i += AT_ONCE) results[others[i]!.name] = await ran(others[i]!, service);
      });
      await Promise.all(turns);
    }
  } finally {
    await Promise.all([server.stop(), provider.stop()]);
  }
  return results;
}

async function ran({ dsl, inputs, query, files }: DifyCase, service: Engine): Promise<Given> {
  const { workflow } = await importDify(service, dsl);
  const urls = files.map((file) => (file as { readonly url: string }).url);
  const { status, json } = await runWorkflow(service, workflow.id, { version: 'draft', inputs, query, files: urls });
  if (status === 429) throw new Error(json.message);
  if (json.data?.status !== 'succeeded') return { failed: true };
  return hasEnd(dsl) ? { outputs: json.data.outputs } : { answer: json.data.answer };
}

async function chatted(
  asked: DifyCase,
  service: Engine,
  provider: Awaited<ReturnType<typeof scriptedProvider>>,
): Promise<Given> {
  const { workflow } = await importDify(service, asked.dsl);
  const published = await envelope(service, 'POST', `/workflows/${workflow.id}/versions`, {});
  if (published.status === 429) throw new Error(published.json.message);
  if (published.status !== 201) return { failed: true };
  const model = { provider: 'openai-compatible', name: 'm', base_url: provider.baseUrl, api_key: 'sk-scripted' };
  const { id } = await createApplication(service, {
    type: 'workflow',
    name: `Of ${workflow.id}`,
    config: { workflow_id: workflow.id, model },
  });
  provider.plays(...(asked.says ?? []).map((each) => says(each)));
  const body = { messages: [{ role: 'user', content: asked.query }], start_node_inputs: asked.inputs };
  const { status, json } = await complete(service, id, body);
  if (status === 429) throw new Error(JSON.stringify(json));
  if (status !== 200) return { failed: true };
  const [choice] = (json as { choices: readonly { message: { content: string } }[] }).choices;
  const prompts = provider.requests.map(({ body: { messages } }) =>
    messages.map(({ role, content }) => ({ role, content })),
  );
  return { answer: choice!.message.content, ...(showsPrompts(asked) && { prompts }) };
}

interface GraphonResult {
  readonly status: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly prompts?: readonly object[];
  readonly error?: string;
}

const GRAPHON = fileURLToPath(new URL('../../fixtures/dify/graphon_engine.py', import.meta.url));

/** Runs cases in Dify's engine. @param python an interpreter that has graphon */
export async function runInGraphon(cases: readonly DifyCase[], python: string) {
  const server = await echoServer();
  try {
    const child = spawn(python, [GRAPHON], { stdio: ['pipe', 'pipe', 'ignore'] });
    const printed = text(child.stdout);
    child.stdin.end(JSON.stringify({ server: server.address, cases }));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${python} ${GRAPHON} ended with ${code}.`);
    const { graphon, results } = JSON.parse(await printed) as {
      graphon: string;
      results: Record<string, GraphonResult>;
    };
    const given = cases.map((each) => [each.name, givenBy(each, results[each.name]!)] as const);
    const errors = Object.entries(results).map(([name, { error }]) => [name, error ?? ''] as const);
    return { graphon, results: Object.fromEntries(given) as Results, errors: new Map(errors) };
  } finally {
    await server.stop();
  }
}

function givenBy(asked: DifyCase, { status, outputs = {}, prompts = [] }: GraphonResult): Given {
  if (status !== 'succeeded') return { failed: true };
  if (hasEnd(asked.dsl)) return { outputs };
  return { answer: String(outputs.answer ?? ''), ...(showsPrompts(asked) && { prompts }) };
}
