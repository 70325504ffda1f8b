import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope, runThat, runWorkflow } from '../../helpers/workflows/calls.ts';
import { difyFile, difyNode, difyStart, type Imported, importDify } from '../../helpers/workflows/dify.ts';

const service = useService();

const action = (id: string) => ({ id, title: id.toUpperCase(), button_style: 'default' });
const form = {
  type: 'human-input',
  form_content: 'Refund {{#start.sum#}} KRW?\nWhy: {{#$output.reason#}} {{#$output.by#}}',
  inputs: [
    { type: 'paragraph', output_variable_name: 'reason', default: { type: 'variable', selector: ['start', 'why'] } },
    { type: 'text-input', output_variable_name: 'by', default: { type: 'constant', selector: [], value: 'me' } },
  ],
  user_actions: [action('approve'), action('reject')],
  timeout: 3,
  timeout_unit: 'day',
};
const answer = (id: string, text: string) => difyNode(id, { type: 'answer', answer: text });
const file = (changes: object = {}, ways: readonly string[] = []) =>
  difyFile(
    [
      difyStart(
        { variable: 'sum', type: 'text-input', required: true },
        { variable: 'why', type: 'text-input', required: false },
      ),
      difyNode('ask', { ...form, ...changes }),
      answer('yes', '{{#ask.__action_id#}} {{#ask.reason#}} {{#ask.by#}}|{{#ask.__rendered_content#}}'),
      answer('no', 'no {{#ask.__action_id#}}'),
      answer('late', 'late'),
    ],
    ['start > ask', 'ask:approve > yes', 'ask:reject > no', 'ask:__timeout > late', ...ways],
  );
const configOf = ({ workflow }: Imported) => workflow.graph.nodes.find(({ id }) => id === 'ask')!.data.config;

async function waiting(imported: Imported) {
  const { json } = await runWorkflow(service, imported.workflow.id, {
    version: 'draft',
    inputs: { sum: '500', why: 'broken' },
  });
  return json.data;
}

it.each(['approve', 'reject'])('an imported form continues at its action %s alone', async (chosen) => {
  const imported = await importDify(service, file());
  expect([imported.valid, imported.unsupported]).toEqual([true, []]);
  expect(configOf(imported)).toMatchObject({
    timeout: 3,
    timeout_unit: 'days',
    actions: [{ id: 'approve' }, { id: 'reject' }],
  });
  const run = await waiting(imported);
  const values = { reason: 'lost', by_field: 'you' };
  const submitted = await envelope(service, 'POST', `/runs/${run.id}/submit`, { values, action: chosen });
  expect(submitted.status).toBe(200);
  const ended = await runThat(service, run.id, ({ status }) => status === 'succeeded');
  const ran = ended.nodes.map(({ execution_key }) => execution_key);
  if (chosen === 'reject') expect([ended.answer, ran]).toEqual(['no reject', ['start', 'ask', 'no']]);
  else
    expect([ended.answer, ran]).toEqual(['approve lost you|Refund 500 KRW?\nWhy: lost you', ['start', 'ask', 'yes']]);
});

it('an imported form that no one answers continues at its time-out alone, and presets are its values', async () => {
  const imported = await importDify(service, file());
  const run = await waiting(imported);
  expect(run).toMatchObject({
    pending_forms: [
      {
        message: 'Refund 500 KRW?\nWhy: {{$output.reason}} {{$output.by_field}}',
        fields: [
          { name: 'reason', default: 'broken' },
          { name: 'by_field', label: 'by', default: 'me' },
        ],
      },
    ],
  });
  const short = await importDify(service, file({ timeout: 0.001, timeout_unit: 'hour' }));
  const expired = await runThat(service, (await waiting(short)).id, ({ status }) => status !== 'waiting');
  const ended = await runThat(service, expired.id, ({ status }) => status === 'succeeded');
  expect([ended.answer, ended.nodes.map(({ execution_key }) => execution_key)]).toEqual([
    'late',
    ['start', 'ask', 'late'],
  ]);
});

it.each([
  ['without actions', { user_actions: [] }, []],
  ['with an action that is not a handle', { user_actions: [action('timeout')] }, []],
  ['with a way from no action', {}, ['ask:source > no']],
  ['with a way from an action that it no longer has', { user_actions: [action('approve')] }, []],
  ['with a field of an unknown type', { inputs: [{ type: 'signature', output_variable_name: 'reason' }] }, []],
  ['with a time-out of 30 days', { timeout: 30 }, []],
  ['with a time-out of an unknown unit', { timeout_unit: 'moon' }, []],
] as const)('an imported form %s is not valid, and does not run', async (_, changes, ways) => {
  const imported = await importDify(service, file(changes, ways));
  expect(imported.valid).toBe(false);
  expect(imported.issues).toContainEqual(expect.objectContaining({ node_id: 'ask', severity: 'error' }));
  const { status } = await runWorkflow(service, imported.workflow.id, { version: 'draft', inputs: { sum: '1' } });
  expect(status).toBe(422);
});

it('an imported form that is sent by e-mail names the remaining work', async () => {
  const delivery_methods = [
    { type: 'webapp', enabled: true },
    { type: 'email', enabled: true, config: { recipients: { whole_workspace: true, items: [] } } },
  ];
  const { valid, unsupported } = await importDify(service, file({ delivery_methods }));
  expect([valid, unsupported]).toEqual([
    true,
    [expect.objectContaining({ message: expect.stringContaining('by email') })],
  ]);
});
