import { type Fields, objectField } from '../fields.ts';
import {
  any,
  assignedTo,
  conditions,
  handle,
  idsOf,
  MAX_PARALLEL_PASSES,
  MAX_PASSES,
  match,
  OPERATIONS,
  optionalAny,
  single,
  startFields,
  text,
  typed,
  typedFields,
  typesOf,
} from '../node-fields.ts';
import type { NodeKinds } from '../node-kind.ts';
import { FORM_OUTPUTS, formHandles, TIMEOUT_HANDLE, TIMEOUT_UNITS } from '../people.ts';

const FORM_OUTPUT_TYPES = Object.fromEntries(FORM_OUTPUTS.map((name) => [name, 'text' as const]));

/** Members that approvals and forms have in common. A wait has at most seven days, in any unit. */
const waitFields = {
  timeout: { kind: 'number', min: 0.001, max: 7 * 24 * 60, optional: true },
  timeout_unit: { kind: 'choice', of: TIMEOUT_UNITS, optional: true },
  /** The same in hours. */
  timeout_hours: { kind: 'number', min: 0.001, max: 7 * 24, optional: true },
  /** The text for the person whose message has led to the wait. */
  notice: { ...text, optional: true },
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
    nature: 'control',
    config: {
      fields: { ...typedFields, optional: true },
    },
    outputs: (node) => typesOf(startFields(node)),
    handles: single,
  },
  condition: {
    nature: 'control',
    config: {
      cases: {
        kind: 'list',
        min: 1,
        max: 20,
        of: { kind: 'object', fields: { id: handle, match, conditions } },
      },
    },
    outputs: typed({ case: 'text' }),
    handles: (node) => [...idsOf(node, 'cases'), 'else'],
  },
  variable_assign: {
    nature: 'control',
    config: { values: { kind: 'record', max: 50, of: any } },
    outputs: (node) =>
      Object.fromEntries(Object.keys(objectField(node.config, 'values')).map((name) => [name, 'any' as const])),
    handles: single,
  },
  assigner: {
    nature: 'control',
    config: {
      items: {
        kind: 'list',
        min: 1,
        max: 50,
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
            },
            operation: { kind: 'choice', of: OPERATIONS },
            value: optionalAny,
          },
        },
      },
    },
    outputs: (node) => Object.fromEntries(assignedTo(node).map(({ name }) => [name, 'any' as const])),
    handles: single,
  },
  break: {
    nature: 'control',
    config: {},
    outputs: typed({}),
    handles: () => [],
  },
  iteration: {
    nature: 'body',
    config: {
      items: { kind: 'value', type: 'list' },
      output: any,
      concurrency: { kind: 'integer', min: 1, max: MAX_PARALLEL_PASSES, optional: true },
      on_item_error: { kind: 'choice', of: ['fail', 'null', 'skip'], optional: true },
      /** True: results that are all lists become one list. */
      flatten: { kind: 'flag', optional: true },
    },
    outputs: typed({ results: 'list', count: 'number', errors: 'list' }),
    handles: single,
  },
  loop: {
    nature: 'body',
    config: {
      variables: { kind: 'record', max: 20, of: any, optional: true },
      max_passes: { kind: 'integer', min: 1, max: MAX_PASSES, optional: true },
      until: { kind: 'object', fields: { match, conditions }, optional: true },
      /** The meaning of the last pass if `until` does not hold. */
      on_limit: { kind: 'choice', of: ['fail', 'end'], optional: true },
    },
    outputs: (node) => ({
      passes: 'number',
      ...Object.fromEntries(Object.keys(objectField(node.config, 'variables')).map((name) => [name, 'any' as const])),
    }),
    handles: single,
  },
  answer: {
    nature: 'control',
    config: { text, files: optionalAny },
    outputs: typed({ text: 'text' }),
    handles: single,
  },
  approval: {
    nature: 'wait',
    config: { message: text, ...waitFields },
    outputs: typed({ decision: 'text', by: 'text', comment: 'text' }),
    handles: () => ['approved', 'rejected'],
    optionalHandle: TIMEOUT_HANDLE,
  },
  human_input: {
    nature: 'wait',
    config: {
      message: text,
      fields: { ...typedFields, optional: true },
      actions: {
        kind: 'list',
        min: 1,
        max: 20,
        of: { kind: 'object', fields: { id: handle, title: { kind: 'literal', maxLength: 100, optional: true } } },
        optional: true,
      },
      ...waitFields,
    },
    outputs: (node) => ({ ...typed(FORM_OUTPUT_TYPES)(), ...typesOf(startFields(node)) }),
    handles: formHandles,
    optionalHandle: TIMEOUT_HANDLE,
  },
};
