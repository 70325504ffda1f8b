import { expect, it } from 'vitest';
import { complete, contentOf } from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { envelope } from '../../helpers/workflows/calls.ts';
import { difyFile, difyNode, difyStart, importDify } from '../../helpers/workflows/dify.ts';
import { useDifyFiles } from '../../helpers/workflows/dify-flow.ts';

const service = useService();
const dify = useDifyFiles(service);
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', pattern: '^[A-Z]' }, days: { type: 'integer' } },
  required: ['city', 'days'],
};
const file = (schema: object) =>
  difyFile(
    [
      difyStart(),
      difyNode('llm', {
        type: 'llm',
        model: { provider: 'p', name: 'gpt', completion_params: {} },
        prompt_template: [{ role: 'user', text: '{{#sys.query#}}' }],
        structured_output_enabled: true,
        structured_output: { schema },
      }),
      difyNode('reply', { type: 'answer', answer: '{{#llm.text#}} {{#llm.structured_output.city#}}' }),
    ],
    ['start > llm', 'llm > reply'],
  );
const question = { messages: [{ role: 'user', content: 'Where?' }] };

it('an answer that does not fit response_schema is requested once more, with its fault', async () => {
  const { id } = await dify.chatOn(file(SCHEMA));
  dify.provider.plays(
    says('{"city": "Seoul", "days": "two"}'),
    says('<think>{"city": "Busan", "days": 1}?</think>```json\n{"city": "Seoul", "days": 2}\n```'),
  );
  const answer = await complete(service, id, question);
  expect(contentOf(answer)).toMatch(/"days": 2\}\n``` Seoul$/);
  expect(contentOf(answer)).not.toContain('two');
  const [, repeated] = dify.provider.requests;
  expect(repeated?.body.messages.slice(1)).toEqual([
    { role: 'assistant', content: '{"city": "Seoul", "days": "two"}' },
    { role: 'user', content: expect.stringMatching(/does not fit config.response_schema: days: .*JSON alone/) },
  ]);
  expect((answer.json as { usage: { total_tokens: number } }).usage.total_tokens).toBe(20);
});

it.each([
  ['nothing', 'The answer is not JSON'],
  ['{"city": 5, "days": 2}', 'The answer does not fit config.response_schema: city: '],
])('a model that insists on %j fails its node with invalid_output', async (said, message) => {
  const { id } = await dify.chatOn(file(SCHEMA));
  dify.provider.plays(says(said));
  const { status, json } = await complete(service, id, question);
  expect([status, JSON.stringify(json)]).toEqual([502, expect.stringContaining(message)]);
  expect(dify.provider.requests).toHaveLength(2);
});

it.each([
  [{ type: 'text' }, 'type is "text"'],
  [{ type: 'object', properties: { a: { type: 'array', items: 'string' } } }, 'properties.a.items is not an object'],
  [{ type: 'object', required: 'a', properties: {} }, 'required is not a list of names'],
])('the schema %j is refused when the graph is published', async (schema, fault) => {
  const imported = await importDify(service, file(schema));
  expect(imported.valid).toBe(false);
  expect(imported.issues.map(({ message }) => message).join()).toContain(`is not a JSON schema: ${fault}`);
  const { status } = await envelope(service, 'POST', `/workflows/${imported.workflow.id}/versions`, {});
  expect(status).toBe(422);
});
