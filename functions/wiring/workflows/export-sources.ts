import type { ExportSource } from '../../accounts/domain/export-workspace.ts';
import { paged } from '../shared/paged.ts';
import { runs, workflows } from './workflows.ts';

const workflowsOf = (workspaceId: string) =>
  paged(
    (limit, before: string | null) => workflows().list(workspaceId, limit, before),
    ({ workflowId }) => workflowId,
  );

export const workflowSources: readonly ExportSource[] = [
  { name: 'workflows', records: workflowsOf },
  {
    name: 'runs',
    async *records(workspaceId) {
      for await (const { workflowId } of workflowsOf(workspaceId)) {
        const heads = paged(
          (limit, before: string | null) => runs().list(workspaceId, workflowId, limit, before),
          ({ runId }) => runId,
        );
        for await (const head of heads) {
          const run = await runs().read(head);
          if (run !== null) yield { ...run.head, events: run.events };
        }
      }
    },
  },
];
