import { EMAIL, MAX_EMAIL_LENGTH } from '../../../../accounts/domain/email-address.ts';
import { type Fields, objectField } from '../fields.ts';
import { VALUE_TYPES } from '../graph.ts';
import {
  any,
  assignedTo,
  conditions,
  DEFAULT_PASSES,
  handle,
  idsOf,
  MAX_PARALLEL_PASSES,
  MAX_PASSES,
  match,
  OPERATIONS,
  single,
  startFields,
  text,
  typed,
  typedFields,
  typesOf,
} from '../node-fields.ts';
import type { NodeKinds } from '../node-kind.ts';
import { DEFAULT_TIMEOUT_HOURS, FORM_OUTPUTS, formHandles, TIMEOUT_HANDLE, TIMEOUT_UNITS } from '../people.ts';

const FORM_OUTPUT_TYPES = Object.fromEntries(FORM_OUTPUTS.map((name) => [name, 'text' as const]));

/** As channels have it; workflows know nothing else of them. */
const CHANNEL_ID = /^chn_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Members that approvals and forms have in common. A wait has at most seven days, in any unit. */
const waitFields = {
  timeout: {
    kind: 'number',
    min: 0.001,
    max: 7 * 24 * 60,
    description: `How long the node waits, in \`timeout_unit\`: 7 days at most. Without it: ${DEFAULT_TIMEOUT_HOURS} hours.`,
    optional: true,
  },
  timeout_unit: {
    kind: 'choice',
    of: TIMEOUT_UNITS,
    description: 'The unit of `timeout`.',
    byDefault: 'hours',
    optional: true,
  },
  timeout_hours: {
    kind: 'number',
    min: 0.001,
    max: 7 * 24,
    description: 'The same in hours. Not together with `timeout`.',
    optional: true,
  },
  notice: {
    ...text,
    description:
      'Text for the person whose message has led to the wait. Without it: a neutral sentence in Korean or English, unless the ' +
      'workflow has answered before.',
    optional: true,
  },
  notify: {
    kind: 'object',
    description:
      'Whom of the workspace the node notifies: they get the message, the link and the time until it expires, once. ' +
      'A channel, addresses, or both.',
    fields: {
      channel_id: {
        kind: 'literal',
        pattern: CHANNEL_ID,
        form: { en: 'the id of a channel, as in chn_01KB2Q…', ko: 'chn_01KB2Q…와 같은 채널 id' },
        description: 'A channel of the workspace. Together with `to`.',
        optional: true,
      },
      to: {
        kind: 'literal',
        maxLength: 500,
        description:
          'The conversation that the channel writes to, as in a test message of the channel: a group of the staff, not the customer.',
        optional: true,
      },
      emails: {
        kind: 'list',
        min: 1,
        max: 10,
        of: {
          kind: 'literal',
          maxLength: MAX_EMAIL_LENGTH,
          pattern: EMAIL,
          form: { en: 'an e-mail address', ko: '이메일 주소' },
        },
        description: 'E-mail addresses of members of the workspace.',
        optional: true,
      },
    },
    optional: true,
  },
} as const satisfies Fields;

/** Nodes that the engine decides itself, with bodies, and those that wait for people. */
export const flowKinds: NodeKinds<
  | 'start'
  | 'condition'
  | 'variable_assign'
  | 'assigner'
  | 'break'
  | 'iteration'
  | 'loop'
  | 'answer'
  | 'approval'
  | 'human_input'
> = {
  start: {
    about: 'Starts a run with the values that its caller sends.',
    nature: 'control',
    config: { fields: typedFields('The values that a run takes.') },
    outputs: (node) => typesOf(startFields(node)),
    handles: single,
  },
  condition: {
    about:
      'Continues at the first case that holds, or at `else`. `is_empty` is true of null, "", an empty list and an empty object; ' +
      '`is_blank` of 0 and false as well.',
    nature: 'control',
    config: {
      cases: {
        kind: 'list',
        min: 1,
        max: 20,
        description: 'The cases, tested in order.',
        of: {
          kind: 'object',
          fields: {
            id: { ...handle, description: 'Names the case: the handle at which the run continues if it holds.' },
            match,
            conditions,
          },
        },
      },
    },
    outputs: typed({ case: 'text' }),
    handles: (node) => [...idsOf(node, 'cases'), 'else'],
  },
  variable_assign: {
    about: 'Sets variables of the loop around it for the next pass.',
    nature: 'control',
    config: {
      values: {
        kind: 'record',
        max: 50,
        of: any,
        description:
          'The new values, by the names of variables. The loop takes over those that are among its `variables`.',
      },
    },
    outputs: (node) =>
      Object.fromEntries(Object.keys(objectField(node.config, 'values')).map((name) => [name, 'any' as const])),
    handles: single,
  },
  assigner: {
    about:
      'Changes conversation variables, or variables of a loop around it, at once. An operation that does not fit the value leaves it ' +
      'unchanged; dividing by 0 fails with `division_by_zero`, a value of another type than `value_type` with `type_mismatch`.',
    nature: 'control',
    config: {
      items: {
        kind: 'list',
        min: 1,
        max: 50,
        description: 'The changes, in order: each one sees those before it.',
        of: {
          kind: 'object',
          fields: {
            variable: {
              kind: 'literal',
              pattern: /^[\w-]{1,64}\.[\p{L}\p{N}_-]{1,64}$/u,
              form: {
                en: 'conversation.<name>, or <id of the loop>.<variable>',
                ko: 'conversation.<이름> 또는 <반복의 id>.<변수>',
              },
              description: 'The changed variable.',
            },
            operation: {
              kind: 'choice',
              of: OPERATIONS,
              description:
                '`overwrite` sets the value. `append` adds one entry to a list, `extend` several. `remove_first` and `remove_last` take ' +
                'one away. `clear` empties a value of any type. The others calculate with numbers.',
            },
            value: {
              ...any,
              description: 'What the operation works with. Not for `clear`, `remove_first` and `remove_last`.',
              optional: true,
            },
            value_type: {
              kind: 'choice',
              of: VALUE_TYPES,
              description:
                'The type that `value` must have. A reference to null then leaves the variable unchanged. Without it: any type.',
              optional: true,
            },
            entry_type: {
              kind: 'choice',
              of: VALUE_TYPES,
              description:
                'The type that each entry of a `value` of the `value_type` list must have. Without it: any type.',
              optional: true,
            },
          },
        },
      },
    },
    outputs: (node) => Object.fromEntries(assignedTo(node).map(({ name }) => [name, 'any' as const])),
    handles: single,
  },
  break: {
    about: 'Ends the loop around it after the current pass.',
    nature: 'control',
    config: {},
    outputs: typed({}),
    handles: () => [],
  },
  iteration: {
    about: 'Runs the nodes whose `parent_id` it is once for each entry of a list, also several at once.',
    nature: 'body',
    config: {
      items: { kind: 'value', type: 'list', description: `The list, of at most ${MAX_PASSES} entries.` },
      output: { ...any, description: 'What each pass adds to `results`: mostly a reference to a node of the body.' },
      concurrency: {
        kind: 'integer',
        min: 1,
        max: MAX_PARALLEL_PASSES,
        description: 'Passes that run at the same time.',
        byDefault: 1,
        optional: true,
      },
      on_item_error: {
        kind: 'choice',
        of: ['fail', 'null', 'skip'],
        description:
          'What the failure of a pass means: the node fails, the result of the pass is null, or the pass has no result. `errors` has ' +
          'the failures of the latter two.',
        byDefault: 'fail',
        optional: true,
      },
      flatten: {
        kind: 'flag',
        description: 'True: if all results are lists, `results` is one list of their entries.',
        byDefault: false,
        optional: true,
      },
    },
    outputs: typed({ results: 'list', count: 'number', errors: 'list' }),
    handles: single,
  },
  loop: {
    about:
      'Repeats the nodes whose `parent_id` it is until a condition holds, a `break` is reached, or the passes are used up. The condition ' +
      'is tested before the first pass, too, unless it refers to a node of the body.',
    nature: 'body',
    config: {
      variables: {
        kind: 'record',
        max: 20,
        of: any,
        description: 'Variables of the loop with their first values: `{{<id of the loop>.<name>}}`.',
        optional: true,
      },
      max_passes: {
        kind: 'integer',
        min: 1,
        max: MAX_PASSES,
        description: 'Passes after which the loop ends.',
        byDefault: DEFAULT_PASSES,
        optional: true,
      },
      until: {
        kind: 'object',
        fields: { match, conditions },
        description: 'The loop ends once this holds. Without it: after `max_passes`, or at a `break`.',
        optional: true,
      },
      on_limit: {
        kind: 'choice',
        of: ['fail', 'end'],
        description:
          'If `until` does not hold after the last pass, the loop fails with `loop_limit`, or ends normally.',
        byDefault: 'fail',
        optional: true,
      },
    },
    outputs: (node) => ({
      passes: 'number',
      ...Object.fromEntries(Object.keys(objectField(node.config, 'variables')).map((name) => [name, 'any' as const])),
    }),
    handles: single,
  },
  answer: {
    about:
      'Gives a part of the answer of the run, as a stream while an agent writes it. The `inputs` of the node are outputs of the run.',
    nature: 'control',
    config: {
      text: { ...text, description: 'The text. Files among it become links in Markdown, pictures images.' },
      files: {
        ...any,
        description:
          'Files of the message: a file, an address, or a list of them. Files that `text` refers to are included anyway.',
        optional: true,
      },
    },
    outputs: typed({ text: 'text' }),
    handles: single,
  },
  approval: {
    about: 'Waits for a person to approve or reject, by the API, the console or a link.',
    nature: 'wait',
    config: {
      message: { ...text, description: 'What the person decides about. People who chat do not see it.' },
      ...waitFields,
    },
    outputs: typed({ decision: 'text', by: 'text', comment: 'text' }),
    handles: () => ['approved', 'rejected'],
    optionalHandle: TIMEOUT_HANDLE,
  },
  human_input: {
    about:
      'Waits for a person to fill in a form, by the API, the console or a link. A form has fields, actions, or both.',
    nature: 'wait',
    config: {
      message: {
        ...text,
        description:
          'The text of the form. `{{$output.<field>}}` marks the place of a field. People who chat do not see it.',
      },
      fields: typedFields('The values that the person fills in. Their defaults may hold references.'),
      actions: {
        kind: 'list',
        min: 1,
        max: 20,
        of: {
          kind: 'object',
          fields: {
            id: { ...handle, description: 'Names the action: the handle at which the run continues.' },
            title: {
              kind: 'literal',
              maxLength: 100,
              description: 'The text of the button. Without it: the id.',
              optional: true,
            },
          },
        },
        description: 'The buttons of the form. Without them: it is only submitted, and continues at `out`.',
        optional: true,
      },
      ...waitFields,
    },
    outputs: (node) => ({ ...typed(FORM_OUTPUT_TYPES)(), ...typesOf(startFields(node)) }),
    handles: formHandles,
    optionalHandle: TIMEOUT_HANDLE,
  },
};
