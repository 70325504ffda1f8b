import type { Graph } from '../../../functions/workflows/domain/graph/graph.ts';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { call } from '../api.ts';
import type { TestService } from '../service.ts';

type Service = Pick<TestService, 'baseUrl' | 'apiKey'>;
let names = 0;

export interface Envelope<T> {
  readonly data: T;
  readonly message: string;
  readonly error?: { readonly code: string };
}

export interface RunResponse {
  readonly id: string;
  readonly status: string;
  readonly answer: string;
  readonly outputs: Record<string, unknown>;
  readonly failure: { readonly code: string; readonly message: string; readonly node_id: string | null } | null;
  readonly workflow_version: number | null;
  readonly pending_approvals: readonly {
    readonly execution_key: string;
    readonly message: unknown;
    readonly url: string;
  }[];
  readonly nodes: readonly {
    readonly execution_key: string;
    readonly status: string;
    readonly inputs: unknown;
    readonly outputs: Record<string, unknown> | null;
    readonly values_omitted: boolean;
    readonly usage: Record<string, number> | null;
  }[];
  readonly usage: Record<string, number>;
}

/** The status of a call, and its body. */
export async function envelope<T>(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<{ readonly status: number; readonly json: Envelope<T> }> {
  const { status, json } = await call(service, method, `/api/v1${path}`, {
    ...(body !== undefined && { body }),
    ...(key && { key }),
  });
  return { status, json: json as Envelope<T> };
}

/** A published workflow. @returns its id */
export async function publishedWorkflow(service: Service, graph: Graph): Promise<string> {
  const created = await envelope<{ id: string }>(service, 'POST', '/workflows', {
    name: `Workflow ${names++} ${Math.random()}`,
    graph: toGraphResponse(graph),
  });
  if (created.status !== 201) throw new Error(created.json.message);
  const { id } = created.json.data;
  const published = await envelope(service, 'POST', `/workflows/${id}/versions`, {});
  if (published.status !== 201) throw new Error(published.json.message);
  return id;
}

export function runWorkflow(service: Service, id: string, body: object = {}) {
  return envelope<RunResponse>(service, 'POST', `/workflows/${id}/run`, body);
}

/** A run that has reached the wanted state. */
export async function runThat(
  service: Service,
  runId: string,
  isRight: (run: RunResponse) => boolean,
): Promise<RunResponse> {
  const untilMs = Date.now() + 20_000;
  for (;;) {
    const { json } = await envelope<RunResponse>(service, 'GET', `/runs/${runId}`);
    if (isRight(json.data)) return json.data;
    if (Date.now() > untilMs) throw new Error(`The run stays ${JSON.stringify(json.data)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The stream of a run's events. */
export async function runStream(service: Service, id: string, body: object, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`${service.baseUrl}/api/v1/workflows/${id}/run`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
    ...(signal && { signal }),
  });
  const type = response.headers.get('content-type');
  if (response.status !== 200 || !type?.includes('text/event-stream'))
    throw new Error(`No stream but ${response.status} ${await response.text()}`);
  return response;
}

/** The frames of a run's stream, with their names. */
export async function framesOfRun(service: Service, id: string, body: object) {
  const blocks = (await (await runStream(service, id, body)).text()).split('\n\n').filter((block) => block !== '');
  return blocks
    .filter((block) => !block.startsWith(':'))
    .map((block) => {
      const [, name = null, data = ''] = /^(?:event: (\w+)\n)?data: (.*)$/s.exec(block) ?? [];
      return { name, data };
    });
}
