import { checkFields, listField, objectField } from '../fields.ts';
import { DEFAULT_HANDLE, ERROR_HANDLE, type GraphNode, isObject } from '../graph.ts';
import { type GraphIssue, ofNode } from '../graph-issue.ts';
import { said } from '../issue-texts.ts';
import { startFields, UNARY_OPERATORS } from '../node-fields.ts';
import { handlesOf, mayFail, NODE_KINDS } from '../node-types.ts';
import {
  FORM_OUTPUTS,
  formActions,
  isForm,
  MAX_TIMEOUT_MS,
  notifiedBy,
  TIMEOUT_HANDLE,
  timeoutMs,
  waitsForPeople,
} from '../people.ts';
import { schemaFault } from '../response-schema.ts';

/** The configuration of one node, independent of its neighbours. */
export function nodeIssues(node: GraphNode): GraphIssue[] {
  const { id, type, config, inputs, onError, defaultOutput, retry } = node;
  const issues = [
    ...checkFields(config, NODE_KINDS[type].config, 'config').issues,
    ...checkFields(inputs, Object.fromEntries(Object.keys(inputs).map((name) => [name, ANY])), 'inputs').issues,
  ].map(({ field, fault }) => ofNode(id, field, fault));
  if (onError !== 'fail' && !mayFail(node))
    issues.push(ofNode(id, 'on_error', said('error_handling_unused', { type })));
  if (onError === 'default' && defaultOutput === null)
    issues.push(ofNode(id, 'default_output', said('default_output_missing')));
  if (retry.maxAttempts > 1 && NODE_KINDS[type].nature !== 'effect')
    issues.push(ofNode(id, 'retry', said('not_repeatable', { type })));
  for (const [index, handle] of handlesOf(node).entries())
    if (handlesOf(node).indexOf(handle) !== index)
      issues.push(ofNode(id, 'config', said('handle_twice', { handle: JSON.stringify(handle) })));
  if (type === 'agent' && config.prompt === undefined && config.messages === undefined)
    issues.push(ofNode(id, 'config.prompt', said('prompt_missing')));
  if (
    type === 'classifier' &&
    config.default_class !== undefined &&
    !handlesOf(node).includes(String(config.default_class))
  )
    issues.push(ofNode(id, 'config.default_class', said('class_unknown')));
  const fault = config.response_schema === undefined ? null : schemaFault(config.response_schema);
  if (fault !== null) issues.push(ofNode(id, 'config.response_schema', said('schema_faulty', { fault })));
  if (waitsForPeople(node)) issues.push(...waitIssues(node));
  for (const condition of conditionsOf(node)) issues.push(...conditionIssues(node, condition));
  return issues;
}

/** Approvals and forms: their time, and names that would hide others. */
function waitIssues(node: GraphNode): GraphIssue[] {
  const { id, config } = node;
  const issues: GraphIssue[] = [];
  if (timeoutMs(config) > MAX_TIMEOUT_MS) issues.push(ofNode(id, 'config.timeout', said('wait_too_long')));
  if (config.timeout !== undefined && config.timeout_hours !== undefined)
    issues.push(ofNode(id, 'config.timeout_hours', said('two_timeouts')));
  const notify = objectField(config, 'notify');
  if ((notify.channel_id === undefined) !== (notify.to === undefined))
    issues.push(ofNode(id, 'config.notify', said('notify_half')));
  if (config.notify !== undefined && notifiedBy(node) === null && notify.to === undefined)
    issues.push(ofNode(id, 'config.notify', said('notify_empty')));
  if (!isForm(node)) return issues;
  const fields = startFields(node);
  if (fields.length === 0 && formActions(node).length === 0)
    issues.push(ofNode(id, 'config.fields', said('form_empty')));
  for (const { name } of fields)
    if ((FORM_OUTPUTS as readonly string[]).includes(name))
      issues.push(ofNode(id, 'config.fields', said('form_field_taken', { name: JSON.stringify(name) })));
  for (const action of formActions(node))
    if ([TIMEOUT_HANDLE, ERROR_HANDLE, DEFAULT_HANDLE].includes(action.id))
      issues.push(ofNode(id, 'config.actions', said('action_taken', { action: JSON.stringify(action.id) })));
  return issues;
}

const ANY = { kind: 'value', type: 'any' } as const;

function conditionsOf({ type, config }: GraphNode): { readonly field: string; readonly condition: object }[] {
  const inList = (owner: unknown, field: string) =>
    isObject(owner as never)
      ? listField(owner as never, 'conditions').map((condition, i) => ({
          field: `${field}.conditions.${i}`,
          condition: (isObject(condition) ? condition : {}) as object,
        }))
      : [];
  if (type === 'condition') return listField(config, 'cases').flatMap((each, i) => inList(each, `config.cases.${i}`));
  return type === 'loop' ? inList(config.until, 'config.until') : [];
}

function conditionIssues({ id }: GraphNode, { field, condition }: { field: string; condition: object }): GraphIssue[] {
  const { operator, right } = condition as { readonly operator?: string; readonly right?: unknown };
  if (operator === undefined) return [];
  const isUnary = UNARY_OPERATORS.includes(operator);
  if (isUnary && right !== undefined && right !== null)
    return [ofNode(id, `${field}.right`, said('right_unused', { operator }))];
  if (!isUnary && (right === undefined || right === null))
    return [ofNode(id, `${field}.right`, said('right_missing', { operator }))];
  return [];
}
