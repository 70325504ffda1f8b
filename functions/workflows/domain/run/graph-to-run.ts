import type { Graph } from '../graph/graph.ts';
import { findVersion, findWorkflow, requireSound } from '../manage-workflows.ts';
import type { WorkflowId } from '../workflow.ts';
import type { Workflows } from '../workflow-ports.ts';
import { RunRefused } from './run-refused.ts';

/** The graph that a run is to start with. @throws RunRefused, WorkflowRefused */
export async function graphToRun(
  id: WorkflowId,
  version: 'published' | 'draft' | number,
  { workflows }: { readonly workflows: Workflows },
): Promise<{ readonly workflowVersion: number | null; readonly graph: Graph }> {
  if (typeof version === 'number')
    return { workflowVersion: version, graph: (await findVersion(id, version, { workflows })).graph };
  const { draft, publishedVersion } = await findWorkflow(id, { workflows });
  if (version === 'draft') {
    // A draft is stored with its faults.
    requireSound(draft, id);
    return { workflowVersion: null, graph: draft };
  }
  if (publishedVersion === null)
    throw new RunRefused(
      'not_published',
      'The workflow has no published version. Publish its draft by POST …/versions, or run version "draft".',
    );
  const { graph } = await findVersion(id, publishedVersion, { workflows });
  return { workflowVersion: publishedVersion, graph };
}
