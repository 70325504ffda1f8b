import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call, extractWhenFree } from '../../helpers/api.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { type Envelope, envelope, publishedWorkflow, runThat } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();

interface TriggerResponse {
  readonly id: string;
  readonly url: string;
  readonly secret: string | null;
  readonly next_at: string | null;
  readonly last_planned_at: string | null;
  readonly enabled: boolean;
}
interface RunSummary {
  readonly id: string;
  readonly status: string;
  readonly trigger: { readonly type: string; readonly id: string | null; readonly planned_at: string | null };
}

const greeting = () =>
  publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start', {
          fields: [
            { name: 'name', type: 'text' },
            { name: 'count', type: 'number', required: false },
          ],
        }),
        node('end', 'answer', { text: 'Hello {{start.name}}, {{start.count}} {{sys.query}}' }),
      ],
      ['start > end'],
    ),
  );
const create = (workflow: string, body: object) =>
  envelope<TriggerResponse>(service, 'POST', `/workflows/${workflow}/triggers`, { name: 'Trigger', ...body });
const runsOf = async (workflow: string) =>
  (await envelope<{ runs: RunSummary[] }>(service, 'GET', `/workflows/${workflow}/runs`)).json.data.runs;
const ended = (id: string) => runThat(service, id, ({ status }) => status === 'succeeded' || status === 'failed');

/** Headers of Standard Webhooks, made by hand: the service must agree with others, not with itself. */
function signedWebhook(secret: string, id: string, body: string, atMs = Date.now()) {
  const timestamp = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

describe('webhooks', () => {
  const post = async (url: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const json = (await response.json()) as Envelope<{ run_id: string }> & { code: string };
    return { status: response.status, json, replayed: response.headers.get('idempotent-replayed') };
  };
  it('a signed webhook starts one run, whose inputs are mapped from its body, however often it is sent', async () => {
    const workflow = await greeting();
    const { status, json } = await create(workflow, {
      type: 'webhook',
      inputs: { name: '{{body.customer.name}}', count: '{{body.count}}' },
      query: 'by {{headers.x-shop}} {{params.page}}',
    });
    expect(status).toBe(201);
    const { url, secret, id } = json.data;
    const body = JSON.stringify({ customer: { name: 'Kim' }, count: '3' });
    const headers = { ...signedWebhook(secret!, 'msg_1', body), 'x-shop': 'A' };
    const first = await post(`${url}?page=2`, body, headers);
    expect(first.status).toBe(202);
    expect((await ended(first.json.data.run_id)).answer).toBe('Hello Kim, 3 by A 2');
    const again = await post(url, body, headers);
    expect([again.status, again.json.data, again.replayed]).toEqual([202, first.json.data, 'true']);
    expect(await runsOf(workflow)).toMatchObject([{ trigger: { type: 'webhook', id, planned_at: null } }]);
    const { json: listed } = await envelope<{ triggers: object[] }>(service, 'GET', `/workflows/${workflow}/triggers`);
    expect(listed.data.triggers).toMatchObject([{ id, url, auth: 'signature' }]);
    expect(JSON.stringify(listed)).not.toContain(secret);
  });

  it('a webhook with a wrong signature, an old one, a wrong token, or of no trigger is refused', async () => {
    const workflow = await greeting();
    const { url, secret } = (await create(workflow, { type: 'webhook', inputs: { name: 'x' } })).json.data;
    const token = (await create(workflow, { type: 'webhook', auth: 'token', inputs: { name: 'x' } })).json.data;
    const old = Date.now() - 10 * 60_000;
    const answers = [
      await post(url, '{}'),
      await post(url, '{"a":1}', signedWebhook(secret!, 'm', '{}')),
      await post(url, '{}', signedWebhook(secret!, 'm', '{}', old)),
      await post(token.url.split('.').slice(0, -1).join('.'), '{}'),
      await post(`${token.url.slice(0, -1)}${token.url.endsWith('A') ? 'B' : 'A'}`, '{}'),
      await post(`${service.baseUrl}/api/v1/workflow-webhooks/trg_01KB2Q3R4S5T6V7W8X9Y0Z1A2B`, '{}'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 404]);
    expect(answers.map(({ json }) => json.message)).toEqual([
      expect.stringMatching(/^webhook-id, .* is missing/),
      expect.stringMatching(/^webhook-signature does not fit/),
      expect.stringMatching(/^webhook-timestamp is not within 5 minutes/),
      ...Array.from({ length: 2 }, () => expect.stringMatching(/^The secret in the address/)),
      expect.stringMatching(/^Webhook not found/),
    ]);
    expect(await runsOf(workflow)).toEqual([]);
  });

  it('a webhook with a secret address takes forms and texts, and reports faults to its sender', async () => {
    const workflow = await greeting();
    const trigger = { type: 'webhook', auth: 'token', inputs: { name: '{{body.name}}', count: '{{body.count}}' } };
    const { url, id } = (await create(workflow, trigger)).json.data;
    const form = await post(url, 'name=Lee&count=2', { 'content-type': 'application/x-www-form-urlencoded' });
    expect((await ended(form.json.data.run_id)).answer).toBe('Hello Lee, 2 ');
    const unfit = await post(url, '{"name":"Lee","count":"many"}');
    expect([unfit.status, unfit.json.message]).toEqual([422, expect.stringContaining('count: must be a number')]);
    expect((await post(url, '{"name":')).status).toBe(400);
    await envelope(service, 'PATCH', `/workflows/${workflow}/triggers/${id}`, { enabled: false });
    const off = await post(url, '{"name":"Lee"}');
    expect([off.status, off.json.message]).toEqual([409, expect.stringContaining('switched off')]);
    await envelope(service, 'DELETE', `/workflows/${workflow}/triggers/${id}`);
    expect((await post(url, '{"name":"Lee"}')).status).toBe(404);
  });

  it('a flood of webhooks is refused for its trigger alone', async () => {
    const workflow = await greeting();
    const make = async () =>
      (await create(workflow, { type: 'webhook', auth: 'token', inputs: { name: 'x' } })).json.data.url;
    const [flooded, other] = [await make(), await make()];
    const statuses = await Promise.all(
      Array.from({ length: 75 }, async () => (await post(flooded, '{}', { 'webhook-id': 'same' })).status),
    );
    expect(statuses).toContain(429);
    expect((await post(other, '{}')).status).toBe(202);
  });
});

describe('schedules', () => {
  const due = async (workflow: string, trigger: string, minutesAgo: number) => {
    const dueAtMs = Math.floor(Date.now() / 60_000) * 60_000 - minutesAgo * 60_000;
    await setDue(workflow, trigger, dueAtMs);
    return new Date(dueAtMs).toISOString();
  };
  /** As if it had been planned for another time. */
  const setDue = async (workflowId: string, triggerId: string, dueAtMs: number) => {
    const { triggers } = await import('../../../functions/wiring/workflows/workflows.ts');
    const { workspaceId } = service;
    const seen = (await triggers().find({ workspaceId, workflowId, triggerId }))!;
    expect(await triggers().replace(seen, { ...seen, dueAtMs })).toBe(true);
  };
  const daily = { type: 'schedule', cron: '0 9 * * *', time_zone: 'Asia/Seoul' };

  it('a schedule that is due starts one run, which says what it was planned for, and moves on', async () => {
    const workflow = await greeting();
    const made = await create(workflow, { ...daily, inputs: { name: '{{schedule.planned_at}}' } });
    const { id, next_at } = made.json.data;
    expect(new Date(next_at!).getUTCHours()).toBe(0);
    const plannedAt = await due(workflow, id, 2);
    await expect.poll(async () => (await runsOf(workflow)).length, { timeout: 15_000 }).toBe(1);
    const [run] = await runsOf(workflow);
    expect(run?.trigger).toMatchObject({ type: 'schedule', id, planned_at: plannedAt });
    expect((await ended(run!.id)).answer).toBe(`Hello ${plannedAt},  `);
    const { json } = await envelope<{ triggers: TriggerResponse[] }>(service, 'GET', `/workflows/${workflow}/triggers`);
    expect(json.data.triggers).toMatchObject([{ next_at, last_planned_at: plannedAt }]);
  });

  it('inputs of a schedule that no longer fit are a run that has failed, and says why', async () => {
    const workflow = await greeting();
    const { id } = (await create(workflow, { ...daily, inputs: { name: 'x', count: '{{schedule.planned_at}}' } })).json
      .data;
    await due(workflow, id, 1);
    await expect.poll(async () => (await runsOf(workflow))[0]?.status, { timeout: 15_000 }).toBe('failed');
    const run = await ended((await runsOf(workflow))[0]!.id);
    expect(run.failure).toMatchObject({
      code: 'invalid_inputs',
      message: expect.stringContaining('count: must be a number'),
    });
  });

  it('a schedule that is switched off, or whose workflow is removed, starts nothing', async () => {
    const workflow = await greeting();
    const { id } = (await create(workflow, { ...daily, inputs: { name: 'x' } })).json.data;
    const off = await envelope<TriggerResponse>(service, 'PATCH', `/workflows/${workflow}/triggers/${id}`, {
      enabled: false,
    });
    expect(off.json.data).toMatchObject({ enabled: false, next_at: null });
    const on = { enabled: true, cron: '*/5 * * * *' };
    const again = await envelope<TriggerResponse>(service, 'PATCH', `/workflows/${workflow}/triggers/${id}`, on);
    expect(Date.parse(again.json.data.next_at!) - Date.now()).toBeLessThan(5 * 60_000);
    await envelope(service, 'DELETE', `/workflows/${workflow}`);
    const { triggers } = await import('../../../functions/wiring/workflows/workflows.ts');
    expect(await triggers().list(service.workspaceId, workflow)).toEqual([]);
  });

  it.each([
    [{ cron: '* * * * * *' }, 'cron: must have five fields'],
    [{ cron: '61 * * * *' }, 'cron: Invalid value for minute'],
    [{ cron: '0 0 30 2 *' }, 'cron: never comes'],
    [{ time_zone: 'Asia/Nowhere' }, 'time_zone: must be a name of the IANA list'],
    [{ inputs: {} }, 'inputs.name: the start node needs it'],
    [{ inputs: { nam: 'x' } }, 'inputs.nam: is not a field of the start node, which has name, count'],
    [{ inputs: { name: '{{body.x}}' } }, 'inputs: {{body.x}} leads nowhere'],
  ])('a schedule with %j is refused with the field and the fix', async (change, message) => {
    const { status, json } = await create(await greeting(), { ...daily, inputs: { name: 'x' }, ...change });
    expect([status, json.message]).toEqual([422, expect.stringContaining(message)]);
  });
});

describe('events', () => {
  const waiting = async (event: string, name: string) => {
    const workflow = await greeting();
    const made = await create(workflow, { type: 'event', event, inputs: { name } });
    expect(made.status).toBe(201);
    return { workflow, id: made.json.data.id };
  };
  const answerOf = async (workflow: string) => {
    await expect.poll(async () => (await runsOf(workflow)).length, { timeout: 60_000 }).toBe(1);
    const [run] = await runsOf(workflow);
    return { answer: (await ended(run!.id)).answer, trigger: run!.trigger };
  };

  it('extractions, and batches that have ended, start the runs of the triggers that wait for them', async () => {
    const single = await waiting('extraction.completed', '{{event.extraction_id}} {{event.found_table}}');
    const batch = await waiting('batch.completed', '{{event.job_id}} {{event.status}} {{event.completed}}');
    const image = (await oneLinePage()).toString('base64');
    const extraction = await extractWhenFree(service, service, { image });
    const { requestId } = extraction.json as { requestId: string };
    expect(await answerOf(single.workflow)).toMatchObject({
      answer: `Hello ${requestId} true,  `,
      trigger: { type: 'event', id: single.id, planned_at: null },
    });
    const job = await call(service, 'POST', '/api/v1/edi-extract-lite/extract-batch-async', {
      body: { images: [image] },
    });
    const { jobId } = job.json as { jobId: string };
    expect((await answerOf(batch.workflow)).answer).toBe(`Hello ${jobId} completed 1,  `);
    // Images of batches are not extractions themselves.
    expect(await runsOf(single.workflow)).toHaveLength(1);
  });

  it('a message of a channel starts one run, though the platform sends it twice', async () => {
    const { workflow } = await waiting('message.received', '{{event.sender.id}}: {{event.text}}');
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const application = await envelope<{ id: string }>(service, 'POST', '/applications', {
      name: `App ${Math.random()}`,
      type: 'chat',
    });
    const channel = await envelope<{ webhook_url: string }>(service, 'POST', '/channels', {
      ...{ name: 'Custom', type: 'custom', application_id: application.json.data.id },
      ...{ secrets: { signing_secret: secret }, settings: { url: 'https://example.com/hook' } },
    });
    const body = JSON.stringify({ conversation_id: 'c', text: 'Where is it?', sender: { id: 'kim' } });
    const headers = { 'content-type': 'application/json', ...signedWebhook(secret, 'msg_7', body) };
    for (const _ of [1, 2])
      expect((await fetch(channel.json.data.webhook_url, { method: 'POST', body, headers })).status).toBe(200);
    expect((await answerOf(workflow)).answer).toBe('Hello kim: Where is it?,  ');
  });
});
