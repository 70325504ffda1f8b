import { unseenActions } from './unseen-rights.ts';
import used from './used-rights.json' with { type: 'json' };

/** Actions by name and resource: `{ 'DynamoAccounts.find': { 'table:accounts': 'GetItem' } }`. */
export type Rights = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Rights of each function that its code can use, made by `npm run rights`: those that tests saw used by the methods of stores which
 * the function can reach.
 */
export const usedRights: Rights = used;

/**
 * Those of the actions that a function can use. One that `npm run rights` has not seen yet keeps all.
 * @param resource such as `table:accounts`, `queue:runs`, `key:secrets`, `secrets`, `functions`. @param actions with their service: `dynamodb:GetItem`.
 */
export function trimmed(id: string, resource: string, actions: readonly string[]): readonly string[] {
  const known = usedRights[id];
  if (known === undefined) return actions;
  const wanted = new Set([...(known[resource]?.split(' ') ?? []), ...unseenActions(id, resource)]);
  return actions.filter((action) => wanted.has(action.split(':')[1]!));
}
