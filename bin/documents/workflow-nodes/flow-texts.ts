import type { flowKinds } from '../../../functions/workflows/domain/graph/kinds/flow-kinds.ts';
import type { NodeTexts } from './texts.ts';

const TIMEOUT = 'No one has decided in time. Without an edge from here, the node fails instead.';
const ONE = { out: 'The node has ended.' };

export const flowTexts: Readonly<Record<keyof typeof flowKinds, NodeTexts>> = {
  start: {
    example: {
      config: {
        fields: [
          { name: 'image_url', type: 'text', label: 'Page' },
          { name: 'limit', type: 'number', required: false, default: 10 },
        ],
      },
    },
    outputs: { '<field>': 'Each field by its name.' },
    handles: ONE,
  },
  condition: {
    example: {
      config: {
        cases: [
          {
            id: 'large',
            match: 'all',
            conditions: [{ left: '{{check.total}}', operator: 'gt', right: 100_000 }],
          },
        ],
      },
    },
    outputs: { case: 'Id of the case that holds, or `else`.' },
    handles: { '<id of a case>': 'This case is the first that holds.', else: 'No case holds.' },
  },
  variable_assign: {
    example: { config: { values: { left: 0 } } },
    outputs: { '<variable>': 'Each value by its name.' },
    handles: ONE,
  },
  assigner: {
    example: {
      config: { items: [{ variable: 'conversation.topics', operation: 'append', value: '{{sys.query}}' }] },
    },
    outputs: { '<variable>': 'Each changed variable by its name, with its new value.' },
    handles: ONE,
  },
  break: { example: { config: {} }, outputs: {}, handles: {} },
  iteration: {
    example: {
      config: { items: '{{start.pages}}', output: '{{read.summary}}', concurrency: 5, on_item_error: 'skip' },
    },
    outputs: {
      results: 'The output of each pass, in the order of the list.',
      count: 'Entries of the list.',
      errors: 'Passes that have failed: `index`, `code`, `message`.',
    },
    inside: { item: 'The entry.', index: 'Its number, from 0.' },
    handles: ONE,
  },
  loop: {
    example: {
      config: {
        variables: { left: 3 },
        until: { conditions: [{ left: '{{again.left}}', operator: 'lte', right: 0 }] },
        max_passes: 10,
      },
    },
    outputs: { passes: 'Passes that have run.', '<variable>': 'Each variable by its name, with its last value.' },
    inside: { index: 'Number of the pass, from 0.', '<variable>': 'Each variable by its name.' },
    handles: ONE,
  },
  answer: {
    example: { inputs: { total: '{{check.total}}' }, config: { text: '{{agent.text}}' } },
    outputs: { text: 'The text as it was given.' },
    handles: { out: 'The text has been given.' },
  },
  approval: {
    example: { config: { message: 'Pay {{check.total}} KRW?', timeout: 2, timeout_unit: 'days' } },
    outputs: {
      decision: '`approved`, `rejected` or `timeout`.',
      by: 'Who has decided: an id, or `link`.',
      comment: 'What the person has added.',
    },
    handles: { approved: 'The person has approved.', rejected: 'The person has rejected.', timeout: TIMEOUT },
  },
  human_input: {
    example: {
      config: {
        message: 'Refund {{start.sum}} KRW? The reason: {{$output.reason}}',
        fields: [{ name: 'reason', type: 'text', label: 'Reason' }],
        actions: [
          { id: 'pay', title: 'Pay out' },
          { id: 'refuse', title: 'Refuse' },
        ],
        timeout: 36,
        timeout_unit: 'hours',
      },
    },
    outputs: {
      '<field>': 'Each field by its name; null after a time-out.',
      by: 'Who has filled in the form: an id, or `link`.',
      action: 'Id of the chosen action; empty without actions.',
      content: 'The message with the values in the places of its fields.',
    },
    handles: {
      '<id of an action>': 'The person has chosen this action.',
      out: 'The form has no actions, and has been submitted.',
      timeout: TIMEOUT,
    },
  },
};
