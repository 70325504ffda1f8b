import { expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/workflows/domain/graph/graph.ts';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { useService } from '../../helpers/service.ts';
import {
  envelope,
  framesOfRun,
  publishedWorkflow,
  type RunResponse,
  runThat,
  runWorkflow,
} from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();

interface Waiting extends RunResponse {
  readonly pending_forms: readonly { execution_key: string; message: string; fields: object[]; url: string }[];
}

const fields = [
  { name: 'name', type: 'text', label: 'Your name' },
  { name: 'count', type: 'number', required: false, default: 1 },
  { name: 'size', type: 'select', options: ['S', 'L'] },
  { name: 'urgent', type: 'boolean', required: false },
];

/** A run that waits at a form. */
async function waiting(config: object = {}): Promise<Waiting> {
  const id = await publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start'),
        node('ask', 'human_input', { message: 'For <Kim>?', fields, ...config }, { title: 'Order' }),
        node('end', 'answer', {
          text: '{{ask.name}} {{ask.count}} {{ask.size}} {{ask.urgent}} by {{ask.by}} at {{sys.forms.ask}}',
        }),
      ],
      ['start > ask', 'ask > end'],
    ),
  );
  const { status, json } = await runWorkflow(service, id);
  expect([status, json.data.status]).toEqual([202, 'waiting']);
  return json.data as Waiting;
}
const submit = (run: string, values: object) =>
  envelope(service, 'POST', `/runs/${run}/submit`, { execution_key: 'ask', values });
const ended = (run: string) => runThat(service, run, ({ status }) => status === 'succeeded' || status === 'failed');

it('a run waits at a form, and continues with the values of its fields', async () => {
  const run = await waiting();
  expect(run.pending_approvals).toEqual([]);
  expect(run.pending_forms).toMatchObject([{ execution_key: 'ask', message: 'For <Kim>?', fields }]);
  const unfit = await submit(run.id, { name: 'Lee', size: 'M', more: 1 });
  expect([unfit.status, unfit.json.message]).toEqual([
    422,
    'Fields of the form: more: is not a field of the form, which has name, count, size, urgent; size: must be one of S, L.',
  ]);
  expect((await submit(run.id, { name: 'Lee', size: 'L' })).status).toBe(200);
  expect((await ended(run.id)).answer).toMatch(/^Lee 1 L {2}by \S+ at http:\/\/127\.0\.0\.1:\d+\/api\/v1\/forms\//);
  const again = await submit(run.id, { name: 'Park', size: 'S' });
  expect([again.status, again.json.message]).toEqual([409, 'The form at "ask" has been answered before.']);
});

it('a person with the link of a form fills in its page, once', async () => {
  const run = await waiting();
  const url = run.pending_forms[0]!.url;
  const shown = await fetch(url, { headers: { accept: 'text/html' } });
  const page = await shown.text();
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page).toContain('For &lt;Kim&gt;?');
  expect(page).toContain('Your name');
  const json = (await (await fetch(url)).json()) as { data: object };
  expect(json.data).toMatchObject({ title: 'Order', fields });
  const send = (body: string) =>
    fetch(url, {
      ...{ method: 'POST', body },
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    });
  const wrong = await send('name=Lee&size=XL');
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('size: must be one of S, L')]);
  const taken = await send('name=Lee&size=S&count=3&urgent=on');
  expect([taken.status, await taken.text()]).toEqual([200, expect.stringContaining('Thank you')]);
  expect((await ended(run.id)).answer).toMatch(/^Lee 3 S true by link/);
  expect((await send('name=Lee&size=S')).status).toBe(409);
});

it('the link of a form opens no other form, run or workspace', async () => {
  const [run, other] = [await waiting(), await waiting()];
  const [url, others] = [run.pending_forms[0]!.url, other.pending_forms[0]!.url];
  const parts = url.split('/forms/')[1]!.split('.');
  const mixed = others.replace(/[^.]*$/, parts[3]!);
  for (const wrong of [
    mixed,
    url.slice(0, -2),
    `${url}x`,
    url.replace('.run_', '.run_0'),
    `${service.baseUrl}/api/v1/forms/x`,
  ])
    expect((await fetch(wrong)).status).toBe(404);
  const approve = await envelope(service, 'POST', `/runs/${run.id}/approve`, {});
  expect([approve.status, approve.json.message]).toEqual([409, 'The run does not wait for an approval.']);
});

it('a form that is answered after its time is refused with the time, and its run has failed', async () => {
  const run = await waiting({ timeout_hours: 0.001 });
  const failed = await ended(run.id);
  expect(failed.failure).toMatchObject({ code: 'form_expired', message: 'The form was not answered in time.' });
  const late = await submit(run.id, { name: 'Lee', size: 'S' });
  expect([late.status, late.json.message]).toEqual([
    409,
    expect.stringMatching(/^The time to answer "ask" was over on /),
  ]);
  expect((await fetch(run.pending_forms[0]!.url)).status).toBe(409);
});

const actions = [
  { id: 'pay', title: 'Pay out' },
  { id: 'refuse', title: 'Refuse' },
];

/** A run that waits at a form with two actions and a time-out, each a branch. */
async function deciding(config: object = {}): Promise<Waiting> {
  const id = await publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start'),
        node('ask', 'human_input', {
          message: 'Refund {{$output.sum}} KRW?',
          fields: [{ name: 'sum', type: 'number' }],
          actions,
          ...config,
        }),
        node('paid', 'answer', { text: 'paid {{ask.sum}} by {{ask.action}}: {{ask.content}}' }),
        node('refused', 'answer', { text: 'refused {{ask.action}}' }),
        node('late', 'answer', { text: 'late [{{ask.action}}]' }),
      ],
      ['start > ask', 'ask:pay > paid', 'ask:refuse > refused', 'ask:timeout > late'],
    ),
  );
  const { json } = await runWorkflow(service, id);
  return json.data as Waiting;
}

it('a form with actions continues at the chosen one, and at no other', async () => {
  const run = await deciding();
  expect(run.pending_forms).toMatchObject([{ message: 'Refund {{$output.sum}} KRW?', actions }]);
  const send = (body: object) => envelope(service, 'POST', `/runs/${run.id}/submit`, body);
  for (const action of [undefined, 'timeout', 'nothing', 'out']) {
    const wrong = await send({ values: { sum: 5 }, action });
    expect([action, wrong.status, wrong.json.message]).toEqual([
      action,
      422,
      'Fields of the form: action: must be one of pay, refuse.',
    ]);
  }
  expect((await send({ values: { sum: 5 }, action: 'pay' })).status).toBe(200);
  const { answer, nodes } = await ended(run.id);
  expect(answer).toBe('paid 5 by pay: Refund 5 KRW?');
  expect(nodes.map(({ execution_key }) => execution_key)).toEqual(['start', 'ask', 'paid']);
});

it('of several answers to a form at the same moment one counts, and the others are refused', async () => {
  const run = await deciding();
  const url = run.pending_forms[0]!.url;
  const sent = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      fetch(url, { method: 'POST', body: JSON.stringify({ sum: at, action: at % 2 ? 'pay' : 'refuse' }) }),
    ),
  );
  const statuses = sent.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
  const at = statuses.indexOf(200);
  const { answer, nodes } = await ended(run.id);
  expect(answer).toBe(at % 2 ? `paid ${at} by pay: Refund ${at} KRW?` : 'refused refuse');
  expect(nodes).toHaveLength(3);
});

it('a form whose time is over continues at its time-out, and its link is refused from then on', async () => {
  const run = await deciding({ timeout: 0.03, timeout_unit: 'minutes' });
  const { answer, nodes, status } = await ended(run.id);
  expect([status, answer]).toEqual(['succeeded', 'late []']);
  expect(nodes.map(({ execution_key }) => execution_key)).toEqual(['start', 'ask', 'late']);
  const url = run.pending_forms[0]!.url;
  const late = await fetch(url, { method: 'POST', body: JSON.stringify({ sum: 1, action: 'pay' }) });
  expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('was over on')]);
});

it('the page of a form is in the language of its reader, and shows faults and the entered values', async () => {
  const run = await deciding();
  const url = run.pending_forms[0]!.url;
  const shown = async (language: string) =>
    (await fetch(url, { headers: { accept: 'text/html', 'accept-language': language } })).text();
  expect(await shown('ko-KR,ko;q=0.9,en;q=0.8')).toMatch(/<html lang="ko">.*까지 답할 수 있습니다/s);
  expect(await shown('de,en;q=0.8')).toMatch(/<html lang="en">.*This link works once/s);
  const page = await shown('en');
  expect(page).toContain('<button name="action" value="pay">Pay out</button>');
  const send = (body: string, language = 'en') =>
    fetch(url, {
      ...{ method: 'POST', body },
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        'accept-language': language,
      },
    });
  const wrong = await send('sum=many%22&action=pay');
  const again = await wrong.text();
  expect([wrong.status, again]).toEqual([422, expect.stringContaining('sum: must be a number')]);
  expect(again).toContain('value="many&quot;"');
  expect((await send('sum=7&action=refuse')).status).toBe(200);
  await ended(run.id);
  const used = await send('sum=7&action=refuse', 'ko');
  expect([used.status, await used.text()]).toEqual([409, expect.stringContaining('이미 답변한 링크입니다')]);
  const mistyped = await fetch(`${url}x`, { headers: { accept: 'text/html' } });
  expect([mistyped.status, mistyped.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await mistyped.text()).toContain('This link leads nowhere');
});

it('the link of an approval is a page with two buttons, and decides once', async () => {
  const id = await publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start'),
        node('ask', 'approval', { message: 'Refund 50000 KRW?' }),
        node('yes', 'answer', { text: 'yes: {{ask.comment}}' }),
        node('no', 'answer', { text: 'no: {{ask.comment}}' }),
      ],
      ['start > ask', 'ask:approved > yes', 'ask:rejected > no'],
    ),
  );
  const { json } = await runWorkflow(service, id);
  const [pending] = json.data.pending_approvals;
  const page = await (await fetch(pending!.url, { headers: { accept: 'text/html', 'accept-language': 'ko' } })).text();
  expect(page).toMatch(/value="approved">승인.*value="rejected">거절/s);
  const send = (body: object) => fetch(pending!.url, { method: 'POST', body: JSON.stringify(body) });
  expect((await send({ action: 'pay' })).status).toBe(422);
  expect((await send({ action: 'rejected', comment: 'Too much' })).status).toBe(200);
  expect((await send({ action: 'approved' })).status).toBe(409);
  expect((await ended(json.data.id)).answer).toBe('no: Too much');
});

it('a form whose time, fields or actions cannot be is refused', async () => {
  const refused = async (config: object) => {
    const shape = graph([node('start', 'start'), node('ask', 'human_input', config as JsonObject)], ['start > ask']);
    const { json } = await envelope<{ issues: { message: string; severity: string }[] }>(
      service,
      'POST',
      `/workflows/${await publishedWorkflow(service, graph([node('start', 'start'), node('end', 'answer', { text: '' })], ['start > end']))}/validate`,
      { graph: toGraphResponse(shape) },
    );
    return json.data.issues.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  };
  const message = 'Hm?';
  expect(await refused({ message })).toEqual([expect.stringContaining('are missing, and so are actions')]);
  expect(await refused({ message, actions, timeout: 8, timeout_unit: 'days' })).toEqual([
    expect.stringContaining('is longer than a run can wait, which is 7 days'),
  ]);
  expect(await refused({ message, actions: [{ id: 'timeout' }] })).toEqual([expect.stringContaining('"timeout"')]);
  expect(await refused({ message, actions: [actions[0], actions[0]] })).toEqual([expect.stringContaining('twice')]);
  expect(await refused({ message, fields: [{ name: 'action', type: 'text' }] })).toEqual([
    expect.stringContaining('which is another output'),
  ]);
});

it('the events of a run carry the fields, the actions and the link of a form', async () => {
  const id = await publishedWorkflow(
    service,
    graph([node('start', 'start'), node('ask', 'human_input', { message: 'Hm?', fields, actions })], ['start > ask']),
  );
  const frames = await framesOfRun(service, id, {});
  const found = frames.map(({ data }) => data).find((data) => data.includes('"status":"waiting"'));
  const { event } = JSON.parse(found!) as { event: { url: string } };
  expect(event).toMatchObject({ fields, actions, message: 'Hm?', expires_at: expect.any(String) });
  expect((await fetch(event.url)).status).toBe(200);
});
