import { buckets, queues, tables } from '../../functions/shared/resources.ts';
import type { Rights } from '../../lib/grants/used-rights.ts';
import type { RecordedRight } from '../../test/helpers/rights/record-rights.ts';
import type { Reached } from './reachable.ts';

/** Rights that methods of stores use: `{ 'DynamoAccounts.find': { 'table:accounts': 'GetItem' } }`. */
export type StoreRights = Rights;

/**
 * The rights with those that tests recorded: each counts for the innermost method that the function's code is known to reach,
 * or else for the function by itself.
 */
export function withRecorded(
  stores: StoreRights,
  recorded: readonly RecordedRight[],
  reached: ReadonlyMap<string, Reached>,
): StoreRights {
  const merged = new Map(Object.entries(stores));
  for (const { id, callers, resource, action } of recorded) {
    const owner = callers.find((name) => reached.get(id)?.names.has(name)) ?? id;
    const before = merged.get(owner) ?? {};
    merged.set(owner, { ...before, [resource]: joined(before[resource], action) });
  }
  return Object.fromEntries(merged);
}

/** The rights of a function whose code reaches these methods: what tests saw them send, and what their bodies say. */
export function usedBy(id: string, reached: Reached, stores: StoreRights): Readonly<Record<string, string>> {
  const { names, sends } = reached;
  const used: Record<string, string> = {};
  const add = (resource: string, actions: string) => {
    used[resource] = joined(used[resource], actions);
  };
  for (const name of [id, ...names])
    for (const [resource, actions] of Object.entries(stores[name] ?? {})) add(resource, actions);
  // A plain function that sends a command to S3 does not show the bucket.
  for (const [name, sent] of sends)
    for (const { field, action } of sent)
      for (const resource of OTHERS[action]?.(reached) ?? resourcesOf(name.split('.')[0]!, field, stores))
        if (action in OTHERS || resource.startsWith('bucket') === action.includes('Object')) add(resource, action);
  return used;
}

const queuesOf = ({ queueSettings }: Reached): readonly string[] =>
  Object.entries(queues)
    .filter(([, { environment }]) => queueSettings === null || queueSettings.has(environment))
    .map(([queue]) => `queue:${queue}`);

/** Resources of actions on anything else than tables and buckets. Local services have no KMS and no secrets to record. */
const OTHERS: Readonly<Record<string, (reached: Reached) => readonly string[]>> = {
  ...{ SendMessage: queuesOf, ChangeMessageVisibility: queuesOf },
  ...{ Encrypt: () => ['key:secrets'], Decrypt: () => ['key:secrets'] },
  ...{ GetSecretValue: () => ['secrets'], PutSecretValue: () => ['secrets'] },
  InvokeFunction: () => ['functions'],
};

/**
 * The table that a field of a store is named after, or else the resources that tests saw the store use. Of a store that no test has
 * used yet all that it might be: roles have only those that the function declares.
 */
function resourcesOf(store: string, field: string, stores: StoreRights): readonly string[] {
  const kind = store.startsWith('S3') ? 'bucket' : 'table';
  if (kind === 'table' && Object.hasOwn(tables, field)) return [`table:${field}`];
  const seen = Object.entries(stores).flatMap(([name, rights]) =>
    name.startsWith(`${store}.`) ? Object.keys(rights).filter((resource) => resource.startsWith(kind)) : [],
  );
  if (seen.length > 0) return [...new Set(seen)];
  return Object.keys(kind === 'table' ? tables : buckets).map((id) => `${kind}:${id}`);
}

/** Both lists of actions in one. */
function joined(before: string | undefined, more: string): string {
  return [...new Set([...(before?.split(' ') ?? []), ...more.split(' ')])].sort().join(' ');
}
