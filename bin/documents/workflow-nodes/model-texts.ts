import type { modelKinds } from '../../../functions/workflows/domain/graph/kinds/model-kinds.ts';
import type { NodeTexts } from './texts.ts';

const USAGE = 'Tokens: `prompt_tokens`, `completion_tokens`, `total_tokens`.';

export const modelTexts: Readonly<Record<keyof typeof modelKinds, NodeTexts>> = {
  agent: {
    example: {
      config: {
        system: 'You answer in one sentence.',
        prompt: 'Summarise: {{start.text}}',
        with_history: true,
        history_turns: 5,
        tools: ['code_interpreter'],
        max_rounds: 5,
      },
    },
    outputs: {
      text: 'The answer.',
      finish_reason: 'Why the model has ended: `stop`, `length` ….',
      files: 'Files that its tools have written. Absent without any.',
      usage: USAGE,
      reasoning: 'Thoughts of the model; empty if it has shown none.',
      structured_output: 'With `response_schema`: the parsed answer.',
    },
    handles: { out: 'The model has answered.' },
  },
  classifier: {
    example: {
      config: {
        query: '{{sys.query}}',
        classes: [
          { id: 'billing', name: 'Billing' },
          { id: 'delivery', name: 'Delivery', description: 'Parcels that are late, lost or damaged' },
        ],
        default_class: 'billing',
      },
    },
    outputs: { class_id: 'Id of the class.', class_name: 'Its name.' },
    handles: { '<id of a class>': 'The text belongs to this class.' },
  },
  parameter_extractor: {
    example: {
      config: {
        query: '{{sys.query}}',
        parameters: [{ name: 'city', type: 'text', description: 'Where the parcel goes', required: true }],
      },
    },
    outputs: {
      '<parameter>': 'Each parameter by its name; empty if the text has no value.',
      is_success: '1 if an answer fits, otherwise 0.',
      reason: 'Why no answer fits; empty on success.',
      usage: USAGE,
    },
    handles: { out: 'The model has answered, also without success.' },
  },
};
