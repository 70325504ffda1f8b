import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, type RunResponse, runThat, runWorkflow } from '../../helpers/workflows/calls.ts';
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
    'Fields of the form: more: is no field of the form, which has name, count, size, urgent; size: must be one of S, L.',
  ]);
  expect((await submit(run.id, { name: 'Lee', size: 'L' })).status).toBe(200);
  expect((await ended(run.id)).answer).toMatch(/^Lee 1 L {2}by \S+ at \/api\/v1\/forms\//);
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
  expect([late.status, late.json.message]).toEqual([409, expect.stringContaining('has ended')]);
  expect((await fetch(run.pending_forms[0]!.url)).status).toBe(409);
});
