import { type QueryClient, useQuery } from '@tanstack/react-query';

/** Something of an imported file that was not understood, is to be connected, or was left empty. */
export interface ImportFinding {
  readonly node_id: string | null;
  readonly title: string;
  readonly message: string;
}

const NONE: readonly ImportFinding[] = [];
const keyOf = (workflowId: string) => ['import', workflowId] as const;

/** Keeps the findings for the editor of the workflow, until the page is closed: only the import knows them. */
export function keepFindings(queries: QueryClient, workflowId: string, findings: readonly ImportFinding[]): void {
  queries.setQueryDefaults(keyOf(workflowId), { gcTime: Number.POSITIVE_INFINITY });
  queries.setQueryData(keyOf(workflowId), findings);
}

export function useFindings(workflowId: string): readonly ImportFinding[] {
  const { data } = useQuery<readonly ImportFinding[]>({
    queryKey: keyOf(workflowId),
    // Nothing can be fetched again: after a change of the language they stay as they are.
    queryFn: ({ client, queryKey }) => client.getQueryData<readonly ImportFinding[]>(queryKey) ?? NONE,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? NONE;
}
