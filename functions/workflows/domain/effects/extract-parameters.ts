import { Answer } from '../../../chat/domain/answer.ts';
import { askModels } from '../../../chat/domain/ask-models.ts';
import type { ChatMessage } from '../../../chat/domain/messages.ts';
import { listField, textField } from '../graph/fields.ts';
import { isObject, type Json, type JsonObject, typeOf } from '../graph/graph.ts';
import type { NodeCall, NodeResult, NodeSurroundings } from '../run/node-effects.ts';
import { modelOf, requestOf, toNodeFailed, workOf } from './ask-agent.ts';
import type { EffectPorts } from './effect-ports.ts';
import { jsonIn } from './json-in.ts';
import { keyIdOf } from './key-id.ts';
import { separated } from './thoughts.ts';
import { userContent } from './user-content.ts';

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly options: readonly string[];
}

/** The first one included. */
const MAX_ATTEMPTS = 2;
const EMPTY: Readonly<Record<string, Json>> = { text: '', select: '', number: 0, boolean: false, list: [], object: {} };

/**
 * Asks the model for the values of parameters in a text. An invalid answer is requested once more, with its fault; after that the
 * parameters are empty, `is_success` is 0 and `reason` says why.
 */
export async function extractParameters(
  call: NodeCall,
  { signal }: NodeSurroundings,
  ports: Pick<EffectPorts, 'ask' | 'agentModels'>,
): Promise<NodeResult> {
  const parameters = parametersOf(call);
  const model = await modelOf(call, ports);
  const { config, context } = call;
  const messages: ChatMessage[] = [
    { role: 'system', content: instructions(parameters, textField(config, 'instruction')) },
    ...(config.with_history === true ? context.history : []),
    { role: 'user', content: userContent(textField(config, 'query'), config.files) },
  ];
  let promptTokens = 0;
  let completionTokens = 0;
  let reason = '';
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const answer = new Answer();
    try {
      const temperature = model.config.temperature === null ? null : 0;
      const request = { ...requestOf(messages, call, model), temperature };
      const asker = { ...model, keyId: keyIdOf(call), work: workOf(call, `:${attempt}`) };
      for await (const part of askModels(asker, request, signal, ports.ask)) answer.add(part);
    } catch (error) {
      throw toNodeFailed(error, new Answer());
    }
    const usage = answer.usageFor(messages);
    promptTokens += usage.prompt_tokens;
    completionTokens += usage.completion_tokens;
    const found = valuesIn(answer.text, parameters);
    if ('values' in found) return result(found.values, '', { promptTokens, completionTokens });
    reason = found.fault;
    messages.push(
      { role: 'assistant', content: answer.text || '(nothing)' },
      { role: 'user', content: `${reason} Answer with the JSON object alone.` },
    );
  }
  const empty = Object.fromEntries(parameters.map(({ name, type }) => [name, EMPTY[type] ?? null]));
  return result(empty, reason, { promptTokens, completionTokens });
}

function result(
  values: JsonObject,
  reason: string,
  cost: { readonly promptTokens: number; readonly completionTokens: number },
): NodeResult {
  const usage = {
    prompt_tokens: cost.promptTokens,
    completion_tokens: cost.completionTokens,
    total_tokens: cost.promptTokens + cost.completionTokens,
  };
  return { outputs: { ...values, is_success: reason === '' ? 1 : 0, reason, usage }, cost };
}

function parametersOf({ config }: NodeCall): readonly Parameter[] {
  return listField(config, 'parameters')
    .filter(isObject)
    .map((each) => ({
      name: textField(each, 'name'),
      type: textField(each, 'type'),
      description: textField(each, 'description'),
      isRequired: each.required === true,
      options: listField(each, 'options').map(String),
    }));
}

const JSON_TYPES: Readonly<Record<string, string>> = { text: 'string', select: 'string', list: 'array' };

function instructions(parameters: readonly Parameter[], more: string): string {
  const properties = Object.fromEntries(
    parameters.map(({ name, type, description, options }) => [
      name,
      {
        type: JSON_TYPES[type] ?? type,
        ...(description !== '' && { description }),
        ...(options.length > 0 && { enum: options }),
      },
    ]),
  );
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return [
    'Find the values of these parameters in what the user writes. Answer with one JSON object that fits the schema, and nothing else. Leave out what the text does not say.',
    JSON.stringify({ type: 'object', properties, required }),
    ...(more === '' ? [] : [more]),
  ].join('\n');
}

function valuesIn(
  text: string,
  parameters: readonly Parameter[],
): { readonly values: JsonObject } | { readonly fault: string } {
  const found = jsonIn(separated(text).text);
  if (!isObject(found)) return { fault: 'The answer is not a JSON object.' };
  const values: Record<string, Json> = {};
  for (const parameter of parameters) {
    const { name, type, isRequired } = parameter;
    const value = fitted(found[name] ?? null, parameter);
    if (value === undefined)
      return {
        fault: `${name} must be ${type === 'select' ? `one of ${parameter.options.join(', ')}` : `a ${type}`}.`,
      };
    if (value === null && isRequired) return { fault: `${name} is missing.` };
    values[name] = value ?? EMPTY[type] ?? null;
  }
  return { values };
}

/** @returns null when there is none, undefined when it does not fit. */
function fitted(value: Json, { type, options }: Parameter): Json | undefined {
  if (value === null || value === '') return null;
  if (type === 'select') return typeof value === 'string' && options.includes(value) ? value : undefined;
  if (typeOf(value) === type) return value;
  if (type === 'text' && typeof value !== 'object') return String(value);
  if (type === 'number' && typeof value === 'string' && Number.isFinite(Number(value))) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (type === 'list') return [value];
  return undefined;
}
