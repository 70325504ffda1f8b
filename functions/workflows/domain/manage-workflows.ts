import type { Clock } from '../../shared/ports/clock.ts';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import { uuidV7 } from '../../shared/uuid.ts';
import type { Graph } from './graph/graph.ts';
import { errorsAmong, type GraphIssue } from './graph/graph-issue.ts';
import { graphIssues } from './graph/validate-graph.ts';
import { notifyIssues, type Staff } from './notify-issues.ts';
import { type GraphDraft, sealedGraph } from './seal-environment.ts';
import { selfCallIssues } from './self-call-issues.ts';
import { type TemplateChecks, templateIssues } from './template-issues.ts';
import type { Triggers } from './triggers/trigger-ports.ts';
import type { Workflow, WorkflowId, WorkflowVersion } from './workflow.ts';
import type { Workflows } from './workflow-ports.ts';
import { WorkflowRefused } from './workflow-refused.ts';

export interface ManagePorts {
  readonly workflows: Workflows;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Seals the secrets of graphs. */
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly templates: TemplateChecks;
  readonly staff: Staff;
}

export interface WorkflowDraft {
  readonly name: string;
  readonly description: string;
  readonly graph: GraphDraft;
}

export interface WorkflowChange extends Partial<WorkflowDraft> {
  /** The version that the client has read; absent: any stored version. */
  readonly expectedVersion?: number;
}

/** An item has at most 400 KB. */
const MAX_GRAPH_BYTES = 300_000;
/** Faults that the message of a refusal names. */
export const MAX_ISSUES_SHOWN = 5;

/** Stores a graph as a draft, with its faults: they keep it from being published and run. @throws WorkflowRefused */
export async function createWorkflow(
  workspaceId: string,
  { name, description, graph: draft }: WorkflowDraft,
  ports: Omit<ManagePorts, 'templates' | 'staff'>,
): Promise<Workflow> {
  const nowMs = ports.clock.now();
  const workflowId = uuidV7(nowMs, ports.random);
  const graph = await sealedGraph(draft, null, { workspaceId, workflowId }, ports.secrets);
  requireSize(graph);
  const at = new Date(nowMs).toISOString();
  const workflow: Workflow = {
    workspaceId,
    workflowId,
    name,
    description,
    draft: graph,
    publishedVersion: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  if ((await ports.workflows.create(workflow)) === 'name_taken') throw nameTaken(name);
  return workflow;
}

/** @throws WorkflowRefused */
export async function findWorkflow(id: WorkflowId, { workflows }: Pick<ManagePorts, 'workflows'>): Promise<Workflow> {
  const workflow = await workflows.find(id);
  if (workflow === null) throw new WorkflowRefused('not_found', 'Workflow not found in this workspace. Check the id.');
  return workflow;
}

/** @throws WorkflowRefused */
export async function changeWorkflow(
  id: WorkflowId,
  { expectedVersion, graph, ...change }: WorkflowChange,
  ports: Omit<ManagePorts, 'templates' | 'staff'>,
): Promise<Workflow> {
  const seen = await findWorkflow(id, ports);
  requireVersion(seen, expectedVersion);
  const draft = graph && (await sealedGraph(graph, seen.draft, id, ports.secrets));
  if (draft) requireSize(draft);
  return replaced(seen, { ...change, ...(draft && { draft }) }, null, ports);
}

/** Makes the draft the version that applications run. @throws WorkflowRefused */
export async function publishWorkflow(
  id: WorkflowId,
  { note, expectedVersion }: { readonly note: string; readonly expectedVersion?: number },
  ports: ManagePorts,
): Promise<{ readonly published: WorkflowVersion; readonly workflow: Workflow }> {
  const seen = await findWorkflow(id, ports);
  requireVersion(seen, expectedVersion);
  await requireRunnable(seen.draft, id, ports);
  const number = (seen.publishedVersion ?? 0) + 1;
  const publishedAt = new Date(ports.clock.now()).toISOString();
  const published: WorkflowVersion = { ...id, number, graph: seen.draft, publishedAt, note };
  return { published, workflow: await replaced(seen, { publishedVersion: number }, published, ports) };
}

/** Makes the graph of a version the draft. @throws WorkflowRefused */
export async function restoreVersion(
  id: WorkflowId,
  number: number,
  ports: Pick<ManagePorts, 'workflows' | 'clock'>,
): Promise<Workflow> {
  const [seen, version] = await Promise.all([findWorkflow(id, ports), findVersion(id, number, ports)]);
  return replaced(seen, { draft: version.graph }, null, ports);
}

/** @throws WorkflowRefused */
export async function findVersion(
  id: WorkflowId,
  number: number,
  { workflows }: Pick<ManagePorts, 'workflows'>,
): Promise<WorkflowVersion> {
  const version = await workflows.findVersion(id, number);
  if (version === null) throw new WorkflowRefused('version_not_found', `The workflow has no version ${number}.`);
  return version;
}

/** @throws WorkflowRefused */
export async function removeWorkflow(
  id: WorkflowId,
  { workflows, triggers }: Pick<ManagePorts, 'workflows'> & { readonly triggers: Pick<Triggers, 'list' | 'remove'> },
): Promise<void> {
  const seen = await findWorkflow(id, { workflows });
  if (!(await workflows.remove(seen))) throw changed();
  for (const trigger of await triggers.list(id.workspaceId, id.workflowId)) await triggers.remove(trigger);
}

async function replaced(
  seen: Workflow,
  change: Partial<Workflow>,
  published: WorkflowVersion | null,
  { workflows, clock }: Pick<ManagePorts, 'workflows' | 'clock'>,
): Promise<Workflow> {
  const next: Workflow = {
    ...seen,
    ...change,
    version: seen.version + 1,
    updatedAt: new Date(Math.max(clock.now(), Date.parse(seen.updatedAt) + 1)).toISOString(),
  };
  const outcome = await workflows.replace(seen, next, published);
  if (outcome === 'name_taken') throw nameTaken(next.name);
  if (outcome === 'changed') throw changed();
  return next;
}

/** Everything that is wrong with the graph of a workflow, its templates and the people whom it notifies included. */
export async function allIssues(
  graph: Graph,
  { workspaceId, workflowId }: WorkflowId,
  { templates, staff, signal }: Pick<ManagePorts, 'templates' | 'staff'> & { readonly signal?: AbortSignal },
): Promise<readonly GraphIssue[]> {
  return [
    ...graphIssues(graph),
    ...selfCallIssues(graph, workflowId),
    ...(await templateIssues(graph, templates, { tenant: workspaceId, signal })),
    ...(await notifyIssues(graph, workspaceId, staff)),
  ];
}

/** @throws WorkflowRefused with everything that is wrong */
async function requireRunnable(
  graph: Graph,
  id: WorkflowId,
  ports: Pick<ManagePorts, 'templates' | 'staff'>,
): Promise<void> {
  requireSize(graph);
  requireNone(errorsAmong(await allIssues(graph, id, ports)));
}

/**
 * As far as possible from the graph alone.
 * @throws WorkflowRefused with all faults
 */
export function requireSound(graph: Graph, { workflowId }: Pick<WorkflowId, 'workflowId'>): void {
  requireNone(errorsAmong([...graphIssues(graph), ...selfCallIssues(graph, workflowId)]));
}

function requireNone(errors: readonly GraphIssue[]): void {
  if (errors.length === 0) return;
  const shown = errors.slice(0, MAX_ISSUES_SHOWN).map(({ message }) => message);
  const more = errors.length > shown.length ? ` And ${errors.length - shown.length} more.` : '';
  throw new WorkflowRefused('invalid_graph', `The graph cannot be run. ${shown.join(' ')}${more}`, errors);
}

/** @throws WorkflowRefused 'graph_too_large' */
function requireSize(graph: Graph): void {
  const bytes = Buffer.byteLength(JSON.stringify(graph));
  if (bytes > MAX_GRAPH_BYTES)
    throw new WorkflowRefused(
      'graph_too_large',
      `The graph has ${bytes} bytes of JSON, and ${MAX_GRAPH_BYTES} are kept. Shorten its texts and programs.`,
    );
}

function requireVersion({ version }: Workflow, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw changed();
}

function nameTaken(name: string): WorkflowRefused {
  return new WorkflowRefused(
    'name_taken',
    `Your workspace has a workflow named ${JSON.stringify(name)} already. Choose another name.`,
  );
}

function changed(): WorkflowRefused {
  return new WorkflowRefused(
    'changed',
    'The workflow has changed since you read it. Read it again, and send your change once more.',
  );
}
