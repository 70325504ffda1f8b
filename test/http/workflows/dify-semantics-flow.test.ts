import { describe, expect, it } from 'vitest';
import { complete, contentOf } from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import {
  difyCondition,
  difyFailing,
  difyFile,
  difyNode,
  difyProgram,
  difyStart,
  difyTemplate,
} from '../../helpers/workflows/dify.ts';
import { difyEnd, useDifyFiles } from '../../helpers/workflows/dify-flow.ts';

// Rules of Dify's documentation, each with its page below docs.dify.ai/en/use-dify/.

const service = useService();
const dify = useDifyFiles(service);
const WORKFLOW = { mode: 'workflow' };
const model = { provider: 'p', name: 'gpt', completion_params: {} };

describe('errors (build/predefined-error-handling-logic)', () => {
  it('a node without error handling that fails stops the whole workflow with its message', async () => {
    const run = await dify.ran(
      difyFile(
        [difyStart(), difyFailing('bad'), difyEnd(['v', ['bad', 'result']])],
        ['start > bad', 'bad > end'],
        WORKFLOW,
      ),
    );
    expect([run.status, run.failure?.message]).toEqual(['failed', expect.stringContaining('no luck')]);
  });

  it('a node with a default value gives it out when it fails, and the workflow keeps running', async () => {
    const value = [{ key: 'result', type: 'string', value: 'spare' }];
    const bad = difyFailing('bad', { error_strategy: 'default-value', default_value: value });
    const run = await dify.ran(
      difyFile([difyStart(), bad, difyEnd(['v', ['bad', 'result']])], ['start > bad', 'bad > end'], WORKFLOW),
    );
    expect([run.status, run.outputs]).toEqual(['succeeded', { v: 'spare' }]);
  });

  it('a node with a fail branch continues there, with error_type and error_message', async () => {
    const bad = difyFailing('bad', { error_strategy: 'fail-branch' });
    const run = await dify.ran(
      difyFile(
        [
          difyStart(),
          bad,
          difyEnd(['why', ['bad', 'error_message']], ['kind', ['bad', 'error_type']]),
          difyTemplate('good', 'never', ['bad', 'result']),
        ],
        ['start > bad', 'bad:fail-branch > end', 'bad > good'],
        WORKFLOW,
      ),
    );
    expect([run.status, run.outputs]).toEqual([
      'succeeded',
      { why: expect.stringContaining('no luck'), kind: expect.stringMatching(/./) },
    ]);
    expect(run.nodes.map(({ execution_key }) => execution_key)).not.toContain('good');
  });

  it('a loop ends with the error of the first child that fails, and no further pass runs', async () => {
    const run = await dify.ran(
      difyFile(
        [
          difyStart(),
          difyNode('again', { type: 'loop', loop_count: 3, break_conditions: [], loop_variables: [] }),
          difyNode('againstart', { type: 'loop-start', in: 'again' }),
          difyFailing('bad', { in: 'again' }),
          difyEnd(['v', ['again', 'index']]),
        ],
        ['start > again', 'againstart > bad', 'again > end'],
        WORKFLOW,
      ),
    );
    expect(run.status).toBe('failed');
    expect(run.nodes.filter(({ execution_key }) => execution_key.endsWith('bad'))).toHaveLength(1);
  });
});

describe('iteration (nodes/iteration)', () => {
  /** Of the items 1 to 3 the second one fails. */
  const iterating = (mode: string, more: object = {}) => {
    const code = 'def main(n):\n    if n == 2:\n        raise Exception("two")\n    return {"result": n * 10}';
    const variables = [{ variable: 'n', value_selector: ['each', 'item'] }];
    return dify.ran(
      difyFile(
        [
          difyStart(),
          difyProgram('list', 'def main():\n    return {"result": [1, 2, 3]}', { result: { type: 'array[number]' } }),
          difyNode('each', {
            type: 'iteration',
            iterator_selector: ['list', 'result'],
            output_selector: ['work', 'result'],
            start_node_id: 'eachstart',
            error_handle_mode: mode,
            ...more,
          }),
          difyNode('eachstart', { type: 'iteration-start', in: 'each' }),
          difyProgram('work', code, { result: { type: 'number' } }, { in: 'each', variables }),
          difyEnd(['all', ['each', 'output']]),
        ],
        ['start > list', 'list > each', 'eachstart > work', 'each > end'],
        WORKFLOW,
      ),
    );
  };

  it('terminated: the first error ends the iteration and the workflow', async () => {
    expect((await iterating('terminated')).status).toBe('failed');
  });

  it('continue-on-error: the failed item is null in the output', async () => {
    expect((await iterating('continue-on-error')).outputs).toEqual({ all: [10, null, 30] });
  });

  it('remove-abnormal-output: the output holds the successful results alone', async () => {
    expect((await iterating('remove-abnormal-output')).outputs).toEqual({ all: [10, 30] });
  });

  it('parallel mode: the results keep the order of the items', async () => {
    const run = await iterating('continue-on-error', { is_parallel: true, parallel_nums: 3 });
    expect(run.outputs).toEqual({ all: [10, null, 30] });
  });
});

describe('loop (nodes/loop)', () => {
  const looping = (breakAbove: string | null, count: number) =>
    dify.ran(
      difyFile(
        [
          difyStart(),
          difyNode('again', {
            type: 'loop',
            loop_count: count,
            logical_operator: 'and',
            break_conditions: breakAbove === null ? [] : [difyCondition(['again', 'n'], '>', breakAbove)],
            loop_variables: [{ label: 'n', var_type: 'number', value_type: 'constant', value: '0' }],
          }),
          difyNode('againstart', { type: 'loop-start', in: 'again' }),
          difyNode('more', {
            type: 'assigner',
            in: 'again',
            items: [{ variable_selector: ['again', 'n'], operation: '+=', input_type: 'constant', value: 2 }],
          }),
          difyEnd(['n', ['again', 'n']]),
        ],
        ['start > again', 'againstart > more', 'again > end'],
        WORKFLOW,
      ),
    );

  it('variables persist across passes, and the loop ends when its condition is met', async () => {
    expect((await looping('5', 10)).outputs).toEqual({ n: 6 });
  });

  it('without a condition the loop ends after its maximum count, and the workflow continues', async () => {
    expect((await looping(null, 4)).outputs).toEqual({ n: 8 });
  });

  it('with a condition that is never met the loop ends after its maximum count, and the workflow continues', async () => {
    const run = await looping('100', 3);
    expect([run.status, run.outputs]).toEqual(['succeeded', { n: 6 }]);
  });
});

describe('branches (nodes/ifelse, nodes/variable-aggregator, nodes/question-classifier)', () => {
  const branching = () =>
    difyFile(
      [
        difyStart(),
        difyNode('which', {
          type: 'if-else',
          cases: [
            {
              case_id: 'true',
              logical_operator: 'and',
              conditions: [difyCondition(['sys', 'query'], 'contains', 'tea')],
            },
            {
              case_id: 'elif',
              logical_operator: 'or',
              conditions: [
                difyCondition(['sys', 'query'], 'start with', 'cof'),
                difyCondition(['sys', 'query'], 'is', 'tea'),
              ],
            },
          ],
        }),
        difyTemplate('first', 'IF {{ v }}', ['sys', 'query']),
        difyTemplate('second', 'ELIF {{ v }}', ['sys', 'query']),
        difyTemplate('third', 'ELSE {{ v }}', ['sys', 'query']),
        difyNode('any', {
          type: 'variable-aggregator',
          output_type: 'string',
          variables: [
            ['first', 'output'],
            ['second', 'output'],
            ['third', 'output'],
          ],
        }),
        difyNode('reply', { type: 'answer', answer: '{{#any.output#}}|{{#first.output#}}' }),
      ],
      [
        ...['start > which', 'which:true > first', 'which:elif > second', 'which:false > third'],
        ...['first > any', 'second > any', 'third > any', 'any > reply'],
      ],
    );

  it.each([
    ['IF comes before ELIF where both hold', 'tea', 'IF tea|IF tea'],
    ['ELIF is checked where IF does not hold', 'coffee', 'ELIF coffee|'],
    ['ELSE is taken where nothing holds', 'milk', 'ELSE milk|'],
  ])('%s; the aggregator gives out the branch that ran, and what did not run is empty', async (_, query, expected) => {
    expect((await dify.ran(branching(), { query })).answer).toBe(expected);
  });

  it('a question classifier continues at the class that its model names', async () => {
    const { id } = await dify.chatOn(
      difyFile(
        [
          difyStart(),
          difyNode('sort', {
            type: 'question-classifier',
            model,
            query_variable_selector: ['sys', 'query'],
            classes: [
              { id: '1', name: 'Refunds' },
              { id: '2', name: 'Delivery' },
            ],
            instructions: '',
          }),
          difyNode('refunds', { type: 'answer', answer: 'R {{#sort.class_name#}}' }),
          difyNode('delivery', { type: 'answer', answer: 'D {{#sort.class_name#}}' }),
        ],
        ['start > sort', 'sort:1 > refunds', 'sort:2 > delivery'],
      ),
    );
    const asked = async (said: string) => {
      dify.provider.plays(says(said));
      return contentOf(await complete(service, id, { messages: [{ role: 'user', content: 'Where?' }] }));
    };
    expect(await asked('2')).toBe('D Delivery');
    expect(await asked('<think>Refunds, 1?</think>\nI think it is Delivery.')).toBe('D Delivery');
    // Dify takes the first class where a model names none.
    expect(await asked('Neither of them.')).toBe('R Refunds');
  });
});
