import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { number, useT, won } from '../../texts/i18n.ts';
import { Badge, Button, Note, Scroll } from '../../ui/controls.tsx';
import { FailureText } from '../../ui/failure-text.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useRowsInSight } from '../../ui/rows-in-sight.ts';
import { useAction } from '../../ui/use-action.ts';
import type { Run } from './graph.ts';
import type { LiveNodes, RunNode } from './live-nodes.ts';
import { PendingDecisions } from './pending-decisions.tsx';

const TONES = {
  queued: 'plain',
  running: 'warn',
  waiting: 'warn',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
} as const;

/** A run, looked at until it has ended. */
export function useRun(id: string | null, isStreaming: boolean) {
  return useQuery({
    queryKey: ['run', id],
    enabled: id !== null,
    queryFn: async () => (await dataOf(api.GET('/api/v1/runs/{id}', { params: { path: { id: id! } } }))).data,
    // Its events show the rest meanwhile.
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.finished_at === null ? (isStreaming ? 3_000 : 700) : false,
  });
}

/** While events come they are the newest; afterwards the record is. */
export function statesOf(run: Run | undefined, live: LiveNodes, isStreaming: boolean) {
  const recorded = run?.nodes ?? [];
  return new Map(
    (isStreaming ? [...recorded, ...live.values()] : [...live.values(), ...recorded]).map(({ node_id, status }) => [
      node_id,
      status === 'cancelled' ? ('skipped' as const) : status,
    ]),
  );
}

export function RunDetails({ run, live }: { run: Run; live: LiveNodes }) {
  const t = useT();
  const may = useMay();
  const { id, status, failure, answer, usage } = run;
  const hasMore = live.size > run.nodes.length;
  const nodes = hasMore ? [...live.values()] : run.nodes;
  const cancel = useAction(
    async () => dataOf(api.DELETE('/api/v1/runs/{id}', { params: { path: { id } } })),
    ['run', 'runs'],
  );
  return (
    <section className="card flex flex-col gap-2" aria-label={t('workflows.oneRun')}>
      <h2 className="font-semibold">
        {t('workflows.oneRun')} <Badge tone={TONES[status]}>{t(`workflows.status.${status}`)}</Badge>
      </h2>
      <p className="text-sm text-muted">
        {t('workflows.usage', {
          tokens: number(usage.total_tokens),
          krw: won(usage.krw),
          seconds: number(usage.sandbox_seconds),
        })}
      </p>
      {failure && (
        <Note tone="bad" role="alert">
          {failure.node_id} <FailureText failure={failure} />
        </Note>
      )}
      {answer && <p className="whitespace-pre-wrap rounded-lg bg-raised p-2 [overflow-wrap:anywhere]">{answer}</p>}
      <ProblemNote error={cancel.error} />
      <PendingDecisions run={run} />
      {run.finished_at === null && may('POST /api/v1/workflows/{id}/run') && (
        <Button className="self-start" onClick={() => cancel.mutate()}>
          {t('common.cancel')}
        </Button>
      )}
      <Nodes nodes={nodes} />
      {!hasMore && run.nodes_omitted > 0 && (
        <p className="text-sm text-muted">{t('workflows.omitted', { count: run.nodes_omitted })}</p>
      )}
    </section>
  );
}

const ROW_HEIGHT = 36;

/** Executions of nodes; an iteration may have thousands. */
function Nodes({ nodes }: { nodes: readonly RunNode[] }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useRowsInSight<HTMLOListElement>({ count: nodes.length, rowHeight: ROW_HEIGHT });
  return (
    <ol ref={rows.list} className="text-sm" style={{ paddingTop: rows.before, paddingBottom: rows.after }}>
      {rows.indexes.map((index) => {
        const node = nodes[index]!;
        return (
          <li key={node.execution_key} ref={rows.measure} data-index={index} className="pb-1">
            <NodeDetails
              node={node}
              isOpen={open.has(node.execution_key)}
              onOpen={(isOpen) => {
                const next = new Set(open);
                if (isOpen) next.add(node.execution_key);
                else next.delete(node.execution_key);
                setOpen(next);
              }}
            />
          </li>
        );
      })}
    </ol>
  );
}

function NodeDetails({
  node: { title, node_id, node_type, status, inputs, outputs, failure, elapsed_ms },
  isOpen,
  onOpen,
}: {
  node: RunNode;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}) {
  const t = useT();
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open !== isOpen && onOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer rounded-lg px-2 py-1 hover:bg-raised">
        <Badge tone={TONES[status]}>{t(`workflows.status.${status}`)}</Badge> {title || node_id}{' '}
        <span className="text-muted">
          {node_type} {elapsed_ms !== null && `· ${number(elapsed_ms)} ms`}{' '}
          {failure && <FailureText failure={failure} isBrief />}
        </span>
      </summary>
      {isOpen &&
        [inputs, outputs].map(
          (values, index) =>
            values && (
              // biome-ignore lint/suspicious/noArrayIndexKey: always these two.
              <Scroll key={index} label={t(index === 0 ? 'workflows.inputs' : 'workflows.outputs')}>
                <p className="text-xs text-muted">{t(index === 0 ? 'workflows.inputs' : 'workflows.outputs')}</p>
                <pre className="max-h-60 overflow-y-auto rounded bg-raised p-2 font-mono text-xs">
                  {JSON.stringify(values, null, 2)}
                </pre>
              </Scroll>
            ),
        )}
    </details>
  );
}
