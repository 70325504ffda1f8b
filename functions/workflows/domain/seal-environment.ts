import type { SecretBox } from '../../shared/ports/secret-box.ts';
import type { EnvironmentVariable, Graph } from './graph/graph.ts';
import type { WorkflowId } from './workflow.ts';
import { WorkflowRefused } from './workflow-refused.ts';

/** A graph as a client describes it: a secret comes with its value, or without where the stored one stays. */
export type GraphDraft = Omit<Graph, 'environment'> & { readonly environment?: readonly DraftedVariable[] };
export type DraftedVariable =
  | EnvironmentVariable
  | { readonly name: string; readonly type: 'secret'; readonly value: string };

const MIN_SECRET_LENGTH = 4;
const MAX_SECRET_LENGTH = 10_000;

/** The context for which secrets are sealed: elsewhere they cannot be opened. */
export function secretContext({ workspaceId, workflowId }: WorkflowId): string {
  return `workflow ${workspaceId} ${workflowId}`;
}

/** A graph whose secrets are sealed. Secrets without a value keep that of the stored graph. @throws WorkflowRefused */
export async function sealedGraph(
  draft: GraphDraft,
  stored: Graph | null,
  id: WorkflowId,
  secrets: Pick<SecretBox, 'seal'>,
): Promise<Graph> {
  const { environment = [], ...graph } = draft;
  if (environment.length === 0) return graph;
  const sealed = await Promise.all(
    environment.map(async (variable): Promise<EnvironmentVariable> => {
      if (variable.type !== 'secret') return variable as EnvironmentVariable;
      const { name } = variable;
      if ('value' in variable && variable.value !== '') {
        const { length } = variable.value;
        if (length < MIN_SECRET_LENGTH || length > MAX_SECRET_LENGTH)
          throw new WorkflowRefused(
            'invalid_graph',
            `environment_variables.${name}: a secret has ${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters. Send it as one, or make it a text.`,
          );
        return { name, type: 'secret', sealed: await secrets.seal(variable.value, secretContext(id)) };
      }
      const known = stored?.environment?.find((each) => each.name === name && each.type === 'secret');
      return { name, type: 'secret', sealed: known?.type === 'secret' ? known.sealed : null };
    }),
  );
  return { ...graph, environment: sealed };
}

/** A graph that is only looked at: whether its secrets have values, not which. */
export function withStoredSecrets(draft: GraphDraft, stored: Graph): Graph {
  const { environment, ...graph } = draft;
  if (!environment) return graph;
  const isSet = (name: string) =>
    stored.environment?.some((each) => each.name === name && each.type === 'secret' && each.sealed !== null) === true;
  return {
    ...graph,
    environment: environment.map((variable): EnvironmentVariable => {
      if (variable.type !== 'secret') return variable as EnvironmentVariable;
      const hasValue = ('value' in variable && variable.value !== '') || isSet(variable.name);
      return { name: variable.name, type: 'secret', sealed: hasValue ? '' : null };
    }),
  };
}
