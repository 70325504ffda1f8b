import { expect, it } from 'vitest';
import { complete, contentOf } from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { difyFile, difyNode, difyStart } from '../../helpers/workflows/dify.ts';
import { useDifyFiles } from '../../helpers/workflows/dify-flow.ts';

const service = useService();
const dify = useDifyFiles(service);

it.each([
  ['0', 'empty'],
  ['3', 'full'],
])('a condition takes the number %s for %s, and a loop parses its constant of a list', async (n, answer) => {
  const file = difyFile(
    [
      difyStart(),
      difyNode('keep', {
        type: 'loop',
        loop_count: 1,
        break_conditions: [],
        loop_variables: [
          { label: 'n', var_type: 'number', value_type: 'constant', value: n },
          { label: 'list', var_type: 'array[string]', value_type: 'constant', value: '["z"]' },
        ],
      }),
      difyNode('keepstart', { type: 'loop-start', in: 'keep' }),
      difyNode('same', { type: 'variable-aggregator', variables: [['keep', 'n']], in: 'keep' }),
      difyNode('which', {
        type: 'if-else',
        cases: [
          {
            case_id: 'none',
            logical_operator: 'and',
            conditions: [{ variable_selector: ['keep', 'n'], comparison_operator: 'empty', value: '' }],
          },
        ],
      }),
      difyNode('empty', { type: 'answer', answer: 'empty {{#keep.list#}}' }),
      difyNode('full', { type: 'answer', answer: 'full {{#keep.list#}}' }),
    ],
    ['start > keep', 'keepstart > same', 'keep > which', 'which:none > empty', 'which:false > full'],
  );
  const run = await dify.ran(file);
  expect([run.status, run.answer]).toEqual(['succeeded', `${answer} - z`]);
});

it('thoughts of a model are separated where the file says so, and are in no JSON that is read from an answer', async () => {
  const model = { provider: 'p', name: 'gpt', completion_params: {} };
  const { id } = await dify.chatOn(
    difyFile(
      [
        difyStart(),
        difyNode('llm', {
          type: 'llm',
          model,
          prompt_template: [{ role: 'user', text: '{{#sys.query#}}' }],
          reasoning_format: 'separated',
        }),
        difyNode('find', {
          type: 'parameter-extractor',
          model,
          query: ['sys', 'query'],
          parameters: [{ name: 'city', type: 'string', required: true, description: 'Where' }],
          instruction: '',
        }),
        difyNode('reply', {
          type: 'answer',
          answer: '{{#llm.text#}}|{{#llm.reasoning_content#}}|{{#find.city#}}',
        }),
      ],
      ['start > llm', 'llm > find', 'find > reply'],
    ),
  );
  dify.provider.plays(
    says('<think>I ', 'see</think>', '\n\nHello'),
    says('<think>{"city": "Busan"}? No.</think>{"city": "Seoul"}'),
  );
  const answer = await complete(service, id, { messages: [{ role: 'user', content: 'Hi' }] });
  expect(contentOf(answer)).toBe('Hello|I see|Seoul');
});
