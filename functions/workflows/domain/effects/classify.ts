import { Answer } from '../../../chat/domain/answer.ts';
import { askModels } from '../../../chat/domain/ask-models.ts';
import type { ChatMessage } from '../../../chat/domain/messages.ts';
import { eachTerm } from '../../../knowledge/domain/terms.ts';
import { listField, textField } from '../graph/fields.ts';
import { isObject } from '../graph/graph.ts';
import { type NodeCall, NodeFailed, type NodeResult, type NodeSurroundings } from '../run/node-effects.ts';
import { modelOf, requestOf, toNodeFailed, workOf } from './ask-agent.ts';
import type { EffectPorts } from './effect-ports.ts';
import { keyIdOf } from './key-id.ts';
import { type ClassOption, namedClass } from './named-class.ts';

/** Chooses the class of a text: the node continues at its handle. */
export async function classify(
  call: NodeCall,
  { signal }: NodeSurroundings,
  ports: Pick<EffectPorts, 'ask' | 'agentModels'>,
): Promise<NodeResult> {
  const classes = listField(call.config, 'classes')
    .filter(isObject)
    .map((each) => ({
      id: textField(each, 'id'),
      name: textField(each, 'name'),
      description: textField(each, 'description'),
    }));
  const query = textField(call.config, 'query');
  const model = await modelOf(call, ports);
  const byDefault = classes.find(({ id }) => id === call.config.default_class) ?? null;
  if (model.config.model.provider === 'embedded')
    return resultOf(mostAlike(query, classes) ?? byDefault ?? classes.at(-1)!);

  const messages: readonly ChatMessage[] = [
    { role: 'system', content: instructions(classes, textField(call.config, 'instruction')) },
    { role: 'user', content: query },
  ];
  const answer = new Answer();
  try {
    // A model that is left its own temperature may know no other.
    const temperature = model.config.temperature === null ? null : 0;
    const request = { ...requestOf(messages, call, model), temperature };
    for await (const part of askModels(
      { ...model, keyId: keyIdOf(call), work: workOf(call) },
      request,
      signal,
      ports.ask,
    ))
      answer.add(part);
  } catch (error) {
    throw toNodeFailed(error, new Answer());
  }
  const usage = answer.usageFor(messages);
  const cost = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
  const named = namedClass(answer.text, classes) ?? byDefault;
  if (named === null) {
    const said = JSON.stringify(answer.text.slice(0, 200));
    throw new NodeFailed(
      'unclassified',
      `The model answered ${said}, which names no class, or several. Set config.default_class to the one to take then.`,
      {
        isPassing: true,
        cost,
      },
    );
  }
  return { ...resultOf(named), cost };
}

function resultOf({ id, name }: ClassOption): NodeResult {
  return { outputs: { class_id: id, class_name: name }, handle: id };
}

function instructions(classes: readonly ClassOption[], more: string): string {
  const list = classes.map(({ id, name, description }) => `${id}: ${name}${description && ` (${description})`}`);
  return [
    'Decide which class the text of the user belongs to. Answer with the id of the class and nothing else.',
    ...list,
    ...(more ? [more] : []),
  ].join('\n');
}

function termsOf(text: string): ReadonlySet<number> {
  const terms = new Set<number>();
  eachTerm(text, (term) => terms.add(term));
  return terms;
}

/** Without a language model: the class whose words have most in common with the text; null where none has any. */
function mostAlike(query: string, classes: readonly ClassOption[]): ClassOption | null {
  const asked = termsOf(query);
  const scored = classes.map((each) => {
    const own = termsOf(`${each.name} ${each.description}`);
    let common = 0;
    for (const term of own) if (asked.has(term)) common += 1;
    return { each, score: own.size === 0 ? 0 : common / Math.sqrt(own.size) };
  });
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score > 0 ? best.each : null;
}
