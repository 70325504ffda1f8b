import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A workflow with a run of it, as the files of examples/ hold them. */
export interface WorkflowExample {
  readonly name: string;
  readonly description: string;
  /** Documents of a knowledge base that is made for it; $KNOWLEDGE stands for its id in the graph. */
  readonly knowledge?: readonly { readonly title: string; readonly text: string }[];
  readonly graph: object;
  /** Body of the run. $SAMPLE_PAGE stands for the address of the sample page, $CALLBACK for one that takes results. */
  readonly run: object;
}

export interface ExampleService {
  readonly url: string;
  readonly apiKey: string;
}

/** The shown parts of a run. */
export interface ExampleRun {
  readonly id: string;
  readonly status: string;
  readonly answer: string;
  readonly failure: { readonly message: string } | null;
  readonly pending_approvals: readonly { readonly execution_key: string; readonly message: unknown }[];
  readonly nodes: readonly {
    readonly execution_key: string;
    readonly status: string;
    readonly elapsed_ms: number | null;
  }[];
}

export interface ExampleOutcome {
  readonly run: ExampleRun;
  /** Requests to the address that replaces $CALLBACK. */
  readonly received: readonly unknown[];
}

const SAMPLE_PAGE = new URL('../docs/sample-page.png', import.meta.url);
const POLL_INTERVAL_MS = 100;
const MAX_WAIT_MS = 5 * 60_000;

/** Runs an example on a service, from its creation to its end; what it waits for is approved. */
export async function runExample(
  service: ExampleService,
  { name, description, knowledge = [], graph, run }: WorkflowExample,
  say: (line: string) => void = () => undefined,
): Promise<ExampleOutcome> {
  const callback = await takeResults();
  let workflowId: string | null = null;
  let baseId: string | null = null;
  try {
    if (knowledge.length > 0) baseId = await knowledgeBase(service, `${name} ${Date.now()}`, knowledge);
    const created = await post<{ id: string }>(service, '/workflows', {
      name: `${name} ${Date.now()}`,
      description,
      graph: JSON.parse(JSON.stringify(graph).replaceAll('$KNOWLEDGE', baseId ?? '')),
    });
    workflowId = created.id;
    await post(service, `/workflows/${workflowId}/versions`, {});
    const text = JSON.stringify(run);
    const page = text.includes('$SAMPLE_PAGE') ? await uploadedPage(service) : '';
    const body = JSON.parse(text.replaceAll('$SAMPLE_PAGE', page).replaceAll('$CALLBACK', callback.url)) as object;
    let found = await post<ExampleRun>(service, `/workflows/${workflowId}/run`, body);
    const untilMs = Date.now() + MAX_WAIT_MS;
    while (!['succeeded', 'failed', 'cancelled'].includes(found.status)) {
      if (Date.now() > untilMs) throw new Error(`The run ${found.id} does not end; it is ${found.status}.`);
      for (const { execution_key, message } of found.pending_approvals) {
        say(`Approved: ${String(message)}`);
        await post(service, `/runs/${found.id}/approve`, { execution_key, comment: 'As agreed' });
      }
      await sleep(POLL_INTERVAL_MS);
      found = await ask<ExampleRun>(service, 'GET', `/runs/${found.id}`);
    }
    return { run: found, received: callback.received };
  } finally {
    if (workflowId !== null) await ask(service, 'DELETE', `/workflows/${workflowId}`);
    if (baseId !== null) await ask(service, 'DELETE', `/knowledge-bases/${baseId}`);
    await callback.stop();
  }
}

const post = <Data>(service: ExampleService, path: string, body: object) => ask<Data>(service, 'POST', path, body);

async function ask<Data>({ url, apiKey }: ExampleService, method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status === 204) return null as Data;
  const json = (await response.json()) as { data?: Data; message?: string };
  if (!response.ok) throw new Error(`${method} ${path} answered with ${response.status}: ${json.message}`);
  return (json.data ?? json) as Data;
}

/** A knowledge base, once its documents can be found. */
async function knowledgeBase(
  service: ExampleService,
  name: string,
  documents: NonNullable<WorkflowExample['knowledge']>,
): Promise<string> {
  const { id } = await post<{ id: string }>(service, '/knowledge-bases', { name });
  for (const document of documents) {
    const added = await post<{ id: string }>(service, `/knowledge-bases/${id}/documents`, document);
    const path = `/knowledge-bases/${id}/documents/${added.id}`;
    for (const untilMs = Date.now() + MAX_WAIT_MS; ; ) {
      const { status, error } = await ask<{ status: string; error: unknown }>(service, 'GET', path);
      if (status === 'ready') break;
      if (status === 'failed' || Date.now() > untilMs)
        throw new Error(`The document ${document.title} is ${status}: ${JSON.stringify(error)}`);
      await sleep(POLL_INTERVAL_MS);
    }
  }
  return id;
}

async function uploadedPage(service: ExampleService): Promise<string> {
  const page = await readFile(SAMPLE_PAGE);
  const place = await post<{ uploadUrl: string; imageUrl: string }>(service, '/uploads', { contentType: 'image/png' });
  const sent = await fetch(place.uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: page });
  if (!sent.ok) throw new Error(`The sample page could not be uploaded: ${sent.status}.`);
  return place.imageUrl;
}

/** An address on this machine that takes results. */
async function takeResults() {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    received.push(JSON.parse(text));
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}/results`, received, stop };
}
