import { listField, MAX_TEXT_LENGTH, textField } from '../fields.ts';
import { isObject, type ValueType } from '../graph.ts';
import {
  any,
  application,
  handle,
  idsOf,
  importedFrom,
  name,
  single,
  text,
  timeoutSeconds,
  typed,
} from '../node-fields.ts';
import type { NodeKinds } from '../node-kind.ts';

/** Nodes that ask a model. */
export const modelKinds: NodeKinds<'agent' | 'classifier' | 'parameter_extractor'> = {
  agent: {
    about:
      'Asks the model of an application, which may call its tools. Without `application_id` and without an application that is chatted ' +
      'with, the node fails with `no_model`.',
    nature: 'effect',
    config: {
      prompt: {
        ...text,
        description: 'The message for the model. Required unless `messages` is set.',
        optional: true,
      },
      system: {
        ...text,
        description: 'Instructions for the model. Without them: the system prompt of the application.',
        optional: true,
      },
      messages: {
        kind: 'list',
        min: 1,
        max: 50,
        description: 'In place of `prompt` and `system`: the conversation as it is sent, with examples.',
        optional: true,
        of: {
          kind: 'object',
          fields: {
            role: { kind: 'choice', of: ['system', 'user', 'assistant'], description: 'Who says it.' },
            text: { ...text, description: 'The message.', optional: true },
            template: {
              kind: 'literal',
              maxLength: MAX_TEXT_LENGTH,
              description: 'In place of `text`: a Jinja2 template over the `inputs` of the node.',
              optional: true,
            },
          },
        },
      },
      files: {
        ...any,
        description: 'Pictures and files for the newest message: a file, an address, or a list of them.',
        optional: true,
      },
      response_schema: {
        kind: 'json',
        description:
          'A JSON schema that the answer must fit; its patterns, formats and references are not checked. The parsed answer is ' +
          '`structured_output`. An answer that does not fit is requested once more, then the node fails with `invalid_output`.',
        optional: true,
      },
      with_history: {
        kind: 'flag',
        description: 'True: the earlier turns of the conversation are sent before the newest message.',
        byDefault: false,
        optional: true,
      },
      history_turns: {
        kind: 'integer',
        min: 1,
        max: 100,
        description:
          'With `with_history`: how many of the last turns are sent, each a question and its answer. Without it: all.',
        optional: true,
      },
      passages: {
        kind: 'value',
        type: 'list',
        description: 'Passages that the model may quote by number: the `documents` of a knowledge_search.',
        optional: true,
      },
      application_id: application('whose model is asked and whose tools are called'),
      temperature: {
        kind: 'number',
        min: 0,
        max: 2,
        description: 'How varied the answers are. Without it: the temperature of the application.',
        optional: true,
      },
      max_tokens: {
        kind: 'integer',
        min: 1,
        max: 1_000_000,
        description: 'Tokens of one answer of the model. Without it: the limit of the application.',
        optional: true,
      },
      tools: {
        kind: 'list',
        min: 0,
        max: 20,
        of: { kind: 'literal' },
        description: 'Names of the tools of the application that the model may call. Without them: none.',
        optional: true,
      },
      strategy: {
        kind: 'choice',
        of: ['function_calling', 'react'],
        description:
          'How the model calls tools: by its own function calling, or in writing, by a thought and an action, for models without it.',
        byDefault: 'function_calling',
        optional: true,
      },
      max_rounds: {
        kind: 'integer',
        min: 1,
        max: 10,
        description: 'Calls of the model in one answer. In the last one it has no tools.',
        byDefault: 10,
        optional: true,
      },
      reasoning_format: {
        kind: 'choice',
        of: ['tagged', 'separated'],
        description:
          'Whether thoughts between `<think>` and `</think>` stay in `text`, or are moved to `reasoning`. JSON is always read without them.',
        byDefault: 'tagged',
        optional: true,
      },
      imported_from: importedFrom,
      timeout_seconds: timeoutSeconds('agent', 240),
    },
    outputs: typed({
      text: 'text',
      finish_reason: 'text',
      files: 'list',
      usage: 'object',
      reasoning: 'text',
      structured_output: 'any',
    }),
    handles: single,
  },
  classifier: {
    about:
      'Asks the model which class a text belongs to, and continues at its handle. If the answer names no class, or several, the node ' +
      'continues with `default_class`, or fails with `unclassified`. The embedded model compares words.',
    nature: 'effect',
    config: {
      query: { ...text, description: 'The text.' },
      classes: {
        kind: 'list',
        min: 1,
        max: 50,
        description: 'The classes.',
        of: {
          kind: 'object',
          fields: {
            id: { ...handle, description: 'Names the class: the handle at which the run continues.' },
            name: { ...text, description: 'The class in words, for the model.' },
            description: {
              kind: 'text',
              maxLength: 1_000,
              description: 'What belongs to the class, for the model.',
              optional: true,
            },
          },
        },
      },
      instruction: { ...text, description: 'Further instructions for the model.', optional: true },
      default_class: {
        ...handle,
        description: 'Id of the class that is taken if the model names none, or several.',
        optional: true,
      },
      application_id: application('whose model is asked'),
      timeout_seconds: timeoutSeconds('classifier', 240),
    },
    outputs: typed({ class_id: 'text', class_name: 'text' }),
    handles: (node) => idsOf(node, 'classes'),
  },
  parameter_extractor: {
    about:
      'Has the model find the values of parameters in a text. An answer that does not fit is requested once more; after that the ' +
      'parameters are empty, `is_success` is 0 and `reason` says why.',
    nature: 'effect',
    config: {
      query: { ...text, description: 'The text.' },
      parameters: {
        kind: 'list',
        min: 1,
        max: 50,
        description: 'The parameters: each is an output of the node.',
        of: {
          kind: 'object',
          fields: {
            name: { ...name, description: 'Name of the output.' },
            type: {
              kind: 'choice',
              of: ['text', 'number', 'boolean', 'select', 'list', 'object'],
              description: 'Type of the value. A `select` is one of `options`.',
            },
            description: {
              kind: 'text',
              maxLength: 5_000,
              description: 'What the value is, for the model.',
              optional: true,
            },
            required: {
              kind: 'flag',
              description: 'Whether an answer without the value does not fit. Other values are empty then.',
              byDefault: false,
              optional: true,
            },
            options: {
              kind: 'list',
              min: 1,
              max: 100,
              of: { kind: 'literal', maxLength: 2_000 },
              description: 'The choices of a `select`.',
              optional: true,
            },
          },
        },
      },
      instruction: { ...text, description: 'Further instructions for the model.', optional: true },
      files: {
        ...any,
        description: 'Pictures and files that belong to the text: a file, an address, or a list of them.',
        optional: true,
      },
      with_history: {
        kind: 'flag',
        description: 'True: the earlier turns of the conversation are sent before the text.',
        byDefault: false,
        optional: true,
      },
      application_id: application('whose model is asked'),
      timeout_seconds: timeoutSeconds('parameter_extractor', 240),
    },
    outputs: (node) => ({
      is_success: 'boolean',
      reason: 'text',
      usage: 'object',
      ...Object.fromEntries(
        listField(node.config, 'parameters')
          .filter(isObject)
          .map((each) => [
            textField(each, 'name'),
            each.type === 'select' ? 'text' : (textField(each, 'type') as ValueType),
          ]),
      ),
    }),
    handles: single,
  },
};
