import { listField, objectField, textField } from '../../graph/fields.ts';
import { isObject, type Json, type JsonObject } from '../../graph/graph.ts';
import { noted } from '../note-texts.ts';
import type { Conversion, Converter } from './conversion.ts';
import { toolName, unconnectedTool } from './convert-tools.ts';
import { isOwnAgent } from './names.ts';
import { namedValues, numberOf, parameterValue } from './values.ts';

/** Notes the model that the file names; the node asks the one of its application. */
export function noteModel({ note }: Pick<Conversion, 'note'>, model: JsonObject): void {
  const others = Object.entries(objectField(model, 'completion_params')).filter(
    ([name, value]) => !TAKEN_OVER.includes(name) && isSet(value),
  );
  const left = others.map(([name, value]) => `${name} ${JSON.stringify(value)}`.slice(0, 100)).join(', ');
  const name = JSON.stringify(textField(model, 'name') || textField(model, 'model'));
  note('connect', left === '' ? noted('model', { name }) : noted('model_with_parameters', { name, parameters: left }));
}

/** Parameters of models that nodes have. */
const TAKEN_OVER: readonly string[] = ['temperature', 'max_tokens'];

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

export function modelParameters(model: JsonObject): JsonObject {
  const { temperature, max_tokens } = objectField(model, 'completion_params');
  return {
    ...(typeof temperature === 'number' && { temperature: Math.max(0, Math.min(2, temperature)) }),
    ...(typeof max_tokens === 'number' &&
      max_tokens >= 1 && { max_tokens: Math.min(1_000_000, Math.floor(max_tokens)) }),
  };
}

/** The meaning of {{#context#}}: the passages of a knowledge search as one text. */
function contextText(data: JsonObject, { names }: Conversion): string {
  const { enabled, variable_selector } = objectField(data, 'context');
  if (enabled !== true || !Array.isArray(variable_selector)) return '';
  const reference = names.selected(variable_selector);
  const isSearch = names.typeOf(String(variable_selector[0])) === 'knowledge-retrieval';
  return isSearch ? reference.replace(/\.documents\}\}$/, '.text}}') : reference;
}

function pictures(data: JsonObject, { names }: Conversion): JsonObject {
  const { enabled, configs } = objectField(data, 'vision');
  if (enabled !== true) return {};
  const { variable_selector = ['sys', 'files'] } = objectField({ configs: configs ?? {} }, 'configs');
  const files = names.selected(variable_selector);
  return files === '' ? {} : { files };
}

export const llm: Converter = ({ data }, conversion) => {
  const { names, note } = conversion;
  const model = objectField(data, 'model');
  noteModel(conversion, model);
  const context = contextText(data, conversion);
  const given = Array.isArray(data.prompt_template)
    ? data.prompt_template.filter(isObject)
    : [{ role: 'user', ...objectField(data, 'prompt_template') }];
  const toMessage = (each: JsonObject): JsonObject => {
    const role = ['system', 'assistant'].includes(textField(each, 'role')) ? textField(each, 'role') : 'user';
    if (each.edition_type === 'jinja2')
      return { role, template: textField(each, 'jinja2_text') || textField(each, 'text') };
    return { role, text: names.text(textField(each, 'text'), context) };
  };
  const messages = given
    .map(toMessage)
    .filter((each) => textField(each, 'text').trim() !== '' || textField(each, 'template') !== '');
  const memory = isObject(data.memory) ? data.memory : null;
  if (memory) {
    const query = textField(memory, 'query_prompt_template');
    messages.push({ role: 'user', text: query === '' ? '{{sys.query}}' : names.text(query, context) });
  }
  if (!messages.some(({ role }) => role === 'user')) {
    // Models answer messages of a user: instructions alone are sent as one.
    const last = messages.at(-1);
    if (last) messages[messages.length - 1] = { ...last, role: 'user' };
    else messages.push({ role: 'user', text: '{{sys.query}}' });
  }
  const window = objectField(memory ?? {}, 'window');
  const size = window.enabled === true ? numberOf(window.size) : null;
  const schema = objectField(objectField(data, 'structured_output'), 'schema');
  const isStructured = data.structured_output_enabled === true && Object.keys(schema).length > 0;
  const uses = messages.some((each) => each.template !== undefined);
  if (uses && listField(objectField(data, 'prompt_config'), 'jinja2_variables').length === 0)
    note('changed', noted('jinja_inputs'));
  return {
    type: 'agent',
    config: {
      ...plainPrompt(messages),
      ...modelParameters(model),
      ...(memory && { with_history: true }),
      ...(size !== null && { history_turns: Math.max(1, Math.min(100, Math.floor(size))) }),
      ...(isStructured && { response_schema: schema }),
      ...(data.reasoning_format === 'separated' && { reasoning_format: 'separated' }),
      ...pictures(data, conversion),
    },
    ...(uses && { inputs: namedValues(objectField(data, 'prompt_config'), names, 'jinja2_variables') }),
  };
};

/** A system prompt with one question, or a question alone, in their own members; everything else as messages. */
function plainPrompt(messages: readonly JsonObject[]): JsonObject {
  const isPlain = messages.every((each) => each.template === undefined);
  const roles = messages.map(({ role }) => role).join(' ');
  if (isPlain && roles === 'user') return { prompt: textField(messages[0]!, 'text') };
  if (isPlain && roles === 'system user')
    return { system: textField(messages[0]!, 'text'), prompt: textField(messages[1]!, 'text') };
  return { messages: messages.slice(0, 50) };
}

export const agent: Converter = (node, conversion) => {
  const { names } = conversion;
  const parameters = objectField(node.data, 'agent_parameters');
  const value = (name: string): Json => parameterValue(parameters[name], names);
  if (!isOwnAgent(node.data))
    return unconnectedTool(
      {
        tool: textField(node.data, 'agent_strategy_name'),
        provider: textField(node.data, 'agent_strategy_provider_name'),
        arguments: Object.fromEntries(
          Object.keys(parameters)
            .filter((name) => name !== 'model')
            .map((name) => [name, value(name)]),
        ),
      },
      conversion,
    );
  const model = objectField(parameters, 'model');
  noteModel(conversion, objectField(model, 'value'));
  const tools = listField(objectField(parameters, 'tools'), 'value')
    .filter(isObject)
    .filter(({ enabled }) => enabled !== false);
  return agentWithTools(
    {
      prompt: String(value('query') ?? '') || '{{sys.query}}',
      system: String(value('instruction') ?? ''),
      maxRounds: numberOf(value('maximum_iterations')),
      tools: tools.map((tool) => ({ tool: textField(tool, 'tool_name'), provider: textField(tool, 'provider_name') })),
      config: {
        ...modelParameters(objectField(model, 'value')),
        ...(/react/i.test(textField(node.data, 'agent_strategy_name')) && { strategy: 'react' }),
        ...(isObject(node.data.memory) && { with_history: true }),
      },
    },
    conversion,
  );
};

export function agentWithTools(
  asked: {
    readonly prompt: string;
    readonly system: string;
    readonly maxRounds: number | null;
    readonly tools: readonly { readonly tool: string; readonly provider: string }[];
    readonly config: JsonObject;
  },
  { note }: Pick<Conversion, 'note'>,
) {
  const { prompt, system, maxRounds, tools, config } = asked;
  const names = [...new Set(tools.map(({ tool }) => toolName(tool)))].slice(0, 20);
  const from = [...new Set(tools.map(({ provider }) => provider))].join(', ');
  if (tools.length > 0) note('connect', noted('tools', { names: names.join(', '), provider: from }));
  return {
    type: 'agent' as const,
    config: {
      prompt,
      ...(system !== '' && { system }),
      ...(tools.length > 0 && { tools: names, imported_from: (from || 'an imported file').slice(0, 500) }),
      ...(maxRounds !== null && { max_rounds: Math.max(1, Math.min(10, Math.floor(maxRounds))) }),
      ...config,
    },
  };
}

export const questionClassifier: Converter = ({ data }, conversion) => {
  const { names } = conversion;
  noteModel(conversion, objectField(data, 'model'));
  const instruction = names.text(textField(data, 'instruction') || textField(data, 'instructions'));
  const classes = listField(data, 'classes')
    .filter(isObject)
    .map((each) => ({
      id: textField(each, 'id'),
      name: names.text(textField(each, 'name')) || textField(each, 'id'),
    }));
  return {
    type: 'classifier',
    config: {
      query: names.selected(data.query_variable_selector),
      classes,
      // There the first class is taken where the model names none.
      ...(classes[0] && { default_class: classes[0].id }),
      ...(instruction !== '' && { instruction }),
    },
  };
};

const PARAMETER_TYPES: Readonly<Record<string, string>> = { string: 'text', bool: 'boolean' };

export const parameterExtractor: Converter = ({ data }, conversion) => {
  const { names } = conversion;
  noteModel(conversion, objectField(data, 'model'));
  const instruction = names.text(textField(data, 'instruction'));
  return {
    type: 'parameter_extractor',
    config: {
      query: names.selected(data.query),
      parameters: listField(data, 'parameters')
        .filter(isObject)
        .map((each) => {
          const type = textField(each, 'type');
          const options = listField(each, 'options')
            .map(String)
            .filter((option) => option !== '');
          const description = names.text(textField(each, 'description'));
          return {
            name: textField(each, 'name'),
            type: type.startsWith('array')
              ? 'list'
              : type === 'select' && options.length === 0
                ? 'text'
                : (PARAMETER_TYPES[type] ?? type),
            ...(description !== '' && { description }),
            required: each.required === true,
            ...(options.length > 0 && { options }),
          };
        }),
      ...(instruction !== '' && { instruction }),
      ...(isObject(data.memory) && { with_history: true }),
      ...pictures(data, conversion),
    },
  };
};

export const knowledgeRetrieval: Converter = ({ data }, { names, note }) => {
  note('connect', noted('knowledge'));
  const topK = numberOf(objectField(data, 'multiple_retrieval_config').top_k);
  return {
    type: 'knowledge_search',
    config: {
      query: names.selected(data.query_variable_selector),
      knowledge_base_ids: [],
      ...(topK !== null && { top_k: Math.max(1, Math.min(50, Math.floor(topK))) }),
    },
  };
};
