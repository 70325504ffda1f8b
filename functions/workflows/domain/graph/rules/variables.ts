import { type Graph, typeOf, VALUE_TYPES } from '../graph.ts';
import { type GraphIssue, ofGraph, warning } from '../graph-issue.ts';

const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;
const MAX_VARIABLES = 100;
const TYPES: readonly string[] = [...VALUE_TYPES, 'secret'];

/** Names, types and values of conversation and environment variables. */
export function variableIssues({ conversation = [], environment = [] }: Graph): GraphIssue[] {
  return [
    ...namesAndTypes('conversation_variables', conversation),
    ...namesAndTypes('environment_variables', environment),
    ...conversation.flatMap(({ name, type, initial }) =>
      initial === null || type === 'any' || type === 'file' || typeOf(initial) === type
        ? []
        : [ofGraph(`conversation_variables.${name}`, `Conversation variable ${name}: default must be a ${type}.`)],
    ),
    ...environment.flatMap((variable) =>
      variable.type === 'secret' && variable.sealed === null
        ? [
            warning(
              ofGraph(
                `environment_variables.${variable.name}`,
                `Secret ${variable.name} has no value. Set environment_variables.${variable.name}.value before it is used.`,
              ),
            ),
          ]
        : [],
    ),
  ];
}

function namesAndTypes(
  field: string,
  variables: readonly { readonly name: string; readonly type: string }[],
): GraphIssue[] {
  const issues: GraphIssue[] = [];
  if (variables.length > MAX_VARIABLES)
    issues.push(ofGraph(field, `${field} has ${variables.length} entries. Keep at most ${MAX_VARIABLES}.`));
  const seen = new Set<string>();
  for (const { name, type } of variables) {
    if (!NAME.test(name))
      issues.push(
        ofGraph(field, `${field}: ${JSON.stringify(name)} must be 1 to 64 letters, digits, _ and -. Rename it.`),
      );
    if (seen.has(name)) issues.push(ofGraph(field, `${field}: ${name} is declared twice. Remove one of them.`));
    seen.add(name);
    if (!TYPES.includes(type))
      issues.push(ofGraph(field, `${field}: type of ${name} must be one of ${TYPES.join(', ')}.`));
  }
  return issues;
}
