import { type Graph, typeOf, VALUE_TYPES } from '../graph.ts';
import { type GraphIssue, ofGraph, warning } from '../graph-issue.ts';
import { said } from '../issue-texts.ts';

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
        : [ofGraph(`conversation_variables.${name}`, said('default_type', { name, type }))],
    ),
    ...environment.flatMap((variable) =>
      variable.type === 'secret' && variable.sealed === null
        ? [warning(ofGraph(`environment_variables.${variable.name}`, said('secret_empty', { name: variable.name })))]
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
    issues.push(ofGraph(field, said('too_many_variables', { field, count: variables.length, max: MAX_VARIABLES })));
  const seen = new Set<string>();
  for (const { name, type } of variables) {
    if (!NAME.test(name)) issues.push(ofGraph(field, said('variable_name', { field, name: JSON.stringify(name) })));
    if (seen.has(name)) issues.push(ofGraph(field, said('variable_twice', { field, name })));
    seen.add(name);
    if (!TYPES.includes(type))
      issues.push(ofGraph(field, said('variable_type', { field, name, known: TYPES.join(', ') })));
  }
  return issues;
}
