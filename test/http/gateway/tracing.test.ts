import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { call } from '../../helpers/api.ts';
import { bearer, login, tokensOf } from '../../helpers/auth.ts';
import { finishedJob } from '../../helpers/batch.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { type InProcessService, startService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

/** ExportTraceServiceRequest of OTLP in its JSON form, as far as collectors insist on it. */
const otlpValue: z.ZodType<unknown> = z
  .strictObject({
    stringValue: z.string(),
    intValue: z.int(),
    doubleValue: z.number(),
    boolValue: z.boolean(),
    arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
  })
  .partial();
const otlpAttributes = z.array(z.strictObject({ key: z.string(), value: otlpValue }));
const otlpSpan = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string(),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: otlpAttributes,
  status: z.strictObject({ code: z.int().min(0).max(2) }),
  flags: z.int(),
  events: z.array(z.unknown()).length(0),
  links: z.array(z.unknown()).length(0),
  ...{ droppedAttributesCount: z.int(), droppedEventsCount: z.int(), droppedLinksCount: z.int() },
});
const otlpRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: otlpAttributes, droppedAttributesCount: z.int() }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(otlpSpan) })),
    }),
  ),
});
type OtlpSpan = z.infer<typeof otlpSpan>;

const spans: OtlpSpan[] = [];
const wrong: string[] = [];
let collector: Server;
let service: InProcessService;
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const body = otlpRequest.safeParse(JSON.parse(await text(request)));
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json' || !body.success)
      wrong.push(`${request.url} ${body.error?.message}`);
    else spans.push(...body.data.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((ready) => collector.listen(0, '127.0.0.1', ready));
  vi.stubEnv('TRACES_ENDPOINT', `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`);
  service = await startService();
});
afterAll(async () => {
  await service?.stop();
  collector.close();
  vi.unstubAllEnvs();
});

let traces = 0;
/** The header of a client's own span, of a new trace. */
function clientSpan(flags = '01') {
  traces += 1;
  const traceId = String(traces).padStart(32, 'c');
  return { traceId, headers: { traceparent: `00-${traceId}-00000000000000aa-${flags}` } };
}
const ofTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId);
const named = (traceId: string, name: string) => ofTrace(traceId).find((span) => span.name === name);
const valuesOf = (span: OtlpSpan | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value as object)[0]]));

describe('a trace', () => {
  it('starts at the client, and shows the request with its model call, without a word of the conversation', async () => {
    const { traceId, headers } = clientSpan();
    const body = { name: 'traced', type: 'chat', config: { system_prompt: 'Speak like SYSTEM-WORDS' } };
    const made = await call(service, 'POST', '/api/v1/applications', { body });
    const { id } = (made.json as { data: { id: string } }).data;
    const asked = { messages: [{ role: 'user', content: 'USER-WORDS of a patient' }] };
    const answer = await call(service, 'POST', `/api/v1/chat/${id}/chat/completions`, { headers, body: asked });
    expect(answer.status).toBe(200);
    const name = 'POST /api/v1/chat/{application_id}/chat/completions';
    // Spans are sent after the response.
    await expect.poll(() => named(traceId, name)).toBeDefined();
    const request = named(traceId, name);
    expect(request).toMatchObject({ kind: 2, parentSpanId: '00000000000000aa', status: { code: 0 } });
    expect(valuesOf(request)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/chat/{application_id}/chat/completions',
      'http.response.status_code': 200,
    });
    const model = ofTrace(traceId).find(({ name }) => name.startsWith('chat '))!;
    expect(model).toMatchObject({ kind: 3, parentSpanId: request!.spanId });
    expect(valuesOf(model)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'tripod',
      'gen_ai.request.model': model.name.slice('chat '.length),
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
    });
    expect(JSON.stringify(spans)).not.toMatch(/-WORDS/);
    expect(JSON.stringify(spans)).not.toContain(id);
  });

  it('continues through a queue', async () => {
    const { traceId, headers } = clientSpan();
    const image = (await oneLinePage()).toString('base64');
    const body = { images: [image] };
    const accepted = await call(service, 'POST', '/api/v1/edi-extract-lite/extract-batch-async', { headers, body });
    expect(accepted.status).toBe(202);
    await finishedJob(service, service, (accepted.json as { jobId: string }).jobId);
    await expect.poll(() => named(traceId, 'process message'), { timeout: 20_000 }).toMatchObject({ kind: 5 });
    const parents = new Set(ofTrace(traceId).map(({ spanId }) => spanId));
    expect(parents).toContain(named(traceId, 'process message')!.parentSpanId);
  });

  it('continues through a function that another one starts', async () => {
    const { traceId, headers } = clientSpan();
    const workspace = await createWorkspace();
    const owner = bearer(tokensOf(await login(service, workspace)).access_token);
    const started = await call(service, 'POST', '/api/v1/workspace/exports', {
      key: null,
      headers: { ...headers, ...owner },
    });
    expect(started.status).toBe(202);
    await expect.poll(() => named(traceId, 'invocation'), { timeout: 20_000 }).toBeDefined();
    const request = named(traceId, 'POST /api/v1/workspace/exports')!;
    expect(named(traceId, 'invocation')!.parentSpanId).toBe(request.spanId);
  });

  it('is not recorded when the client has decided against it, and starts here without a client’s', async () => {
    const { traceId, headers } = clientSpan('00');
    await call(service, 'GET', '/api/v1/balance', { headers });
    const before = spans.length;
    await call(service, 'GET', '/api/v1/balance', { headers: { traceparent: 'nonsense' } });
    expect(ofTrace(traceId)).toEqual([]);
    const [own] = spans.slice(before).filter(({ name }) => name === 'GET /api/v1/balance');
    expect(own).toMatchObject({ kind: 2 });
    expect(own!.parentSpanId).toBeUndefined();
  });

  it('has a form that collectors take', () => {
    expect(wrong).toEqual([]);
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
  });
});
