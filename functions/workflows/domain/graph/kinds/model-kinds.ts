import { listField, textField } from '../fields.ts';
import { isObject, type ValueType } from '../graph.ts';
import {
  application,
  handle,
  idsOf,
  importedFrom,
  name,
  optionalAny,
  optionalText,
  single,
  text,
  typed,
} from '../node-fields.ts';
import type { NodeKinds } from '../node-kind.ts';

/** Nodes that ask a model. */
export const modelKinds: NodeKinds<'agent' | 'classifier' | 'parameter_extractor'> = {
  agent: {
    nature: 'effect',
    config: {
      prompt: optionalText,
      system: optionalText,
      /** In the place of prompt and system: the conversation as it is sent. */
      messages: {
        kind: 'list',
        min: 1,
        max: 50,
        optional: true,
        of: {
          kind: 'object',
          fields: {
            role: { kind: 'choice', of: ['system', 'user', 'assistant'] },
            text: optionalText,
            /** Jinja2 over the node's inputs. */
            template: { kind: 'literal', maxLength: 100_000, optional: true },
          },
        },
      },
      /** Pictures and files for the newest message: a file, an address, or a list of them. */
      files: optionalAny,
      /** A JSON schema: the answer is parsed as output `structured_output`. */
      response_schema: { kind: 'json', optional: true },
      history_turns: { kind: 'integer', min: 1, max: 100, optional: true },
      imported_from: importedFrom,
      application_id: application,
      temperature: { kind: 'number', min: 0, max: 2, optional: true },
      max_tokens: { kind: 'integer', min: 1, max: 1_000_000, optional: true },
      with_history: { kind: 'flag', optional: true },
      passages: { kind: 'value', type: 'list', optional: true },
      tools: { kind: 'list', min: 0, max: 20, of: { kind: 'literal' }, optional: true },
      /** The way in which the model calls tools: by its own function calling, or in writing. */
      strategy: { kind: 'choice', of: ['function_calling', 'react'], optional: true },
      max_rounds: { kind: 'integer', min: 1, max: 10, optional: true },
      /** Thoughts between <think> and </think>: part of the text, or of `reasoning`. */
      reasoning_format: { kind: 'choice', of: ['tagged', 'separated'], optional: true },
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
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
    nature: 'effect',
    config: {
      query: text,
      classes: {
        kind: 'list',
        min: 1,
        max: 50,
        of: {
          kind: 'object',
          fields: {
            id: handle,
            name: text,
            description: { kind: 'text', maxLength: 1_000, optional: true },
          },
        },
      },
      instruction: optionalText,
      /** Id of the class that is taken where the model names none. */
      default_class: { ...handle, optional: true },
      application_id: application,
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
    },
    outputs: typed({ class_id: 'text', class_name: 'text' }),
    handles: (node) => idsOf(node, 'classes'),
  },
  parameter_extractor: {
    nature: 'effect',
    config: {
      query: text,
      parameters: {
        kind: 'list',
        min: 1,
        max: 50,
        of: {
          kind: 'object',
          fields: {
            name,
            type: { kind: 'choice', of: ['text', 'number', 'boolean', 'select', 'list', 'object'] },
            description: { kind: 'text', maxLength: 5_000, optional: true },
            required: { kind: 'flag', optional: true },
            options: { kind: 'list', min: 1, max: 100, of: { kind: 'literal', maxLength: 2_000 }, optional: true },
          },
        },
      },
      instruction: optionalText,
      files: optionalAny,
      with_history: { kind: 'flag', optional: true },
      application_id: application,
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
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
