import { buckets, tables } from '../../functions/shared/resources.ts';

/** Rights that functions need where no test can see them used. */
interface UnseenRights {
  readonly ids: readonly string[];
  readonly resources: readonly string[];
  readonly actions: readonly string[];
  readonly reason: string;
}

const list: readonly UnseenRights[] = [
  {
    ids: [
      ...[
        ...['execute', 'execute-async', 'execute-batch', 'list-languages', 'process-execution', 'reconcile-pool'],
        ...['register-runner', 'remove-session', 'run-program'],
      ].map((name) => `sandbox.${name}`),
      'system.get-health',
    ],
    resources: ['table:runners'],
    actions: ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
    reason: 'Local services run programs in processes: only the contract suites use the registry of a pool on Fargate.',
  },
  {
    ids: ['accounts.erase-data'],
    resources: Object.keys(tables).map((id) => `table:${id}`),
    actions: ['Scan', 'BatchWriteItem', 'UpdateItem'],
    reason: 'It erases from every table what it finds there of a workspace; no test has data in all of them.',
  },
  {
    ids: ['accounts.erase-data'],
    resources: Object.keys(buckets).map((id) => `bucket:${id}`),
    actions: ['ListBucket', 'DeleteObject'],
    reason: 'It empties the folder of a workspace in every bucket; no test has objects in all of them.',
  },
  {
    ids: ['sandbox.create-upload'],
    resources: ['bucket:executions'],
    actions: ['PutObject'],
    reason: 'Clients use it, by the address that the function signs.',
  },
];

/** Actions that `unseenRights` names for a function and a resource. */
export function unseenActions(id: string, resource: string): readonly string[] {
  return list.flatMap(({ ids, resources, actions }) =>
    ids.includes(id) && resources.includes(resource) ? actions : [],
  );
}
