import { beforeEach, expect, it } from 'vitest';
import { refillLimits } from '../../helpers/limits.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, type RunResponse, runThat } from '../../helpers/workflows/calls.ts';
import { difyFile, difyNode, type Imported, importDify } from '../../helpers/workflows/dify.ts';
import { difyEnd } from '../../helpers/workflows/dify-flow.ts';

const service = useService();
beforeEach(refillLimits);

type Made = Imported & {
  readonly triggers: readonly (Readonly<Record<string, unknown>> & { readonly id: string; readonly url?: string })[];
};
const importOf = async (...args: Parameters<typeof difyFile>) =>
  (await importDify(service, difyFile(args[0], args[1], { mode: 'workflow', ...args[2] }))) as Made;
const scheduled = (data: object, title = 'Every morning') =>
  importOf(
    [difyNode('begin', { type: 'trigger-schedule', title, ...data }), difyEnd(['now', ['sys', 'timestamp']])],
    ['begin > end'],
  );

it.each([
  [{ mode: 'cron', cron_expression: ' 30  9 * * 1-5 ', timezone: 'Asia/Seoul' }, '30 9 * * 1-5', 'Asia/Seoul'],
  [{ mode: 'cron', cron_expression: '@daily' }, '0 0 * * *', 'UTC'],
  [{ mode: 'visual', frequency: 'hourly', visual_config: { on_minute: 15 } }, '15 * * * *', 'UTC'],
  [{ mode: 'visual', frequency: 'daily', visual_config: { time: '12:05 AM' } }, '5 0 * * *', 'UTC'],
  [
    { mode: 'visual', frequency: 'weekly', visual_config: { time: '2:30 PM', weekdays: ['wed', 'mon'] } },
    '30 14 * * 1,3',
    'UTC',
  ],
  [
    {
      ...{ mode: 'visual', frequency: 'monthly', timezone: 'America/New_York' },
      visual_config: { time: '12:00 PM', monthly_days: [1, 15, 'last'] },
    },
    '0 12 1,15,L * *',
    'America/New_York',
  ],
])('a schedule %j is imported as %s in %s', async (data, cron, zone) => {
  const { triggers, to_connect: notes, unsupported, valid } = await scheduled(data);
  expect(triggers).toMatchObject([
    { type: 'schedule', name: 'Every morning', enabled: false, cron, time_zone: zone, inputs: {}, next_at: null },
  ]);
  expect([valid, unsupported, notes.map(({ node_id: node }) => node)]).toEqual([true, [], ['begin']]);
});

it('an imported schedule runs once its workflow is published and it is switched on', async () => {
  const { workflow, triggers } = await scheduled({ mode: 'cron', cron_expression: '0 9 * * *' });
  const path = `/workflows/${workflow.id}/triggers/${triggers[0]!.id}`;
  expect((await envelope(service, 'PATCH', path, { enabled: true })).status).toBe(409);
  await envelope(service, 'POST', `/workflows/${workflow.id}/versions`, {});
  const { status, json } = await envelope<{ next_at: string }>(service, 'PATCH', path, { enabled: true });
  expect([status, json.data.next_at.slice(10)]).toEqual([200, 'T09:00:00.000Z']);
});

it.each([
  [{ mode: 'cron', cron_expression: '61 * * * *' }, /Its trigger could not be made: cron: /],
  [{ mode: 'cron', cron_expression: '* * * * *', timezone: 'Mars' }, /time_zone: must be a name of the IANA list/],
  [{ mode: 'cron', cron_expression: '' }, /Its times cannot be read/],
  [{ mode: 'visual', frequency: 'once', visual_config: { time: '9:00 AM' } }, /Its times cannot be read/],
  [{ mode: 'visual', frequency: 'daily', visual_config: { time: '25:00' } }, /Its times cannot be read/],
  [{ mode: 'visual', frequency: 'monthly', visual_config: { time: '9:00 AM', monthly_days: [32] } }, /cannot be read/],
])('a schedule %j is a note', async (data, message) => {
  const { triggers, unsupported } = await scheduled(data);
  expect(triggers).toEqual([]);
  expect(unsupported).toMatchObject([{ node_id: 'begin', message: expect.stringMatching(message) }]);
});

it('an imported webhook fills the fields of the start from parameters, headers and body', async () => {
  const made = await importOf(
    [
      difyNode('hook', {
        ...{
          type: 'trigger-webhook',
          title: 'Order',
          method: 'get',
          content_type: 'application/json',
          status_code: 201,
        },
        params: [{ name: 'shop', type: 'string', required: true }],
        headers: [{ name: 'X-Shop-Key', required: false }],
        body: [{ name: 'total', type: 'number', required: true }],
      }),
      difyEnd(['shop', ['hook', 'shop']], ['key', ['hook', 'X_Shop_Key']], ['total', ['hook', 'total']]),
    ],
    ['hook > end'],
  );
  expect(made.triggers).toMatchObject([{ type: 'webhook', name: 'Order', enabled: false, auth: 'token' }]);
  expect(made.unsupported.map(({ message }) => message)).toEqual([
    'Its webhook takes GET there. Have its sender use POST.',
    'Its webhook has an answer of its own there. The sender gets 202 with the run_id here.',
  ]);
  const { id } = made.workflow;
  const [trigger] = made.triggers;
  await envelope(service, 'POST', `/workflows/${id}/versions`, {});
  await envelope(service, 'PATCH', `/workflows/${id}/triggers/${trigger!.id}`, { enabled: true });
  const sent = await fetch(`${trigger!.url}?shop=Seoul`, {
    ...{ method: 'POST', body: JSON.stringify({ total: 12 }) },
    headers: { 'content-type': 'application/json', 'X-Shop-Key': 'k-1' },
  });
  expect(sent.status).toBe(202);
  const { run_id: run } = ((await sent.json()) as { data: { run_id: string } }).data;
  const ended: RunResponse = await runThat(service, run, ({ status }) => status === 'succeeded');
  expect(ended.outputs).toEqual({ shop: 'Seoul', key: 'k-1', total: 12 });
});

it('a webhook with a text as body, a second trigger before the same node, one before another, and one of a plugin', async () => {
  const made = await importOf(
    [
      difyNode('hook', {
        type: 'trigger-webhook',
        content_type: 'text/plain',
        body: [{ name: 'raw', type: 'string' }],
      }),
      difyNode('daily', { type: 'trigger-schedule', mode: 'cron', cron_expression: '0 9 * * *' }),
      difyNode('else', { type: 'trigger-schedule', mode: 'cron', cron_expression: '0 9 * * *' }),
      difyNode('plugin', { type: 'trigger-plugin' }),
      difyEnd(['raw', ['hook', 'raw']]),
    ],
    ['hook > end', 'daily > end', 'plugin > end'],
  );
  expect(made.triggers.map(({ type, name, inputs }) => [type, name, inputs])).toEqual([
    ['webhook', 'hook', { raw: '{{body}}' }],
    ['schedule', 'daily', {}],
  ]);
  expect(made.unsupported.map(({ node_id: node, message }) => [node, message.split('.')[0]])).toEqual([
    ['else', 'A workflow has one start, and other nodes follow this one'],
    ['plugin', 'It is a trigger-plugin there; its values are fields of the start here'],
  ]);
});
