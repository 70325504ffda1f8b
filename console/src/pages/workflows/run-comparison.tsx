import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { number, useT, won } from '../../texts/i18n.ts';
import { Badge, Loading } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** Differences of another run from the shown one: sums, then the nodes that are not the same. */
export function RunComparison({ id, other }: { id: string; other: string }) {
  const t = useT();
  const { data, error } = useQuery({
    queryKey: ['run', id, 'comparison', other],
    queryFn: async () => {
      const params = { path: { id }, query: { with: other } };
      return (await dataOf(api.GET('/api/v1/runs/{id}/comparison', { params }))).data;
    },
  });
  if (error) return <ProblemNote error={error} />;
  if (!data) return <Loading />;
  const { elapsed_ms, total_tokens, krw } = data.difference;
  const differing = data.nodes.filter(
    ({ in: runs, run, other: second, inputs, outputs }) =>
      runs !== 'both' || run?.status !== second?.status || !inputs.same || !outputs.same,
  );
  return (
    <div className="flex flex-col gap-1 px-2 pb-2">
      <p className="text-muted">
        {t('workflows.runDifference', {
          ms: elapsed_ms === null ? '–' : number(elapsed_ms),
          tokens: number(total_tokens),
          krw: won(krw),
        })}
      </p>
      {differing.length === 0 && <p>{t('workflows.sameRuns')}</p>}
      <ul className="flex flex-col gap-1">
        {differing.map(({ execution_key, title, node_id, in: runs, run, other: second, inputs, outputs }) => (
          <li key={execution_key} className="[overflow-wrap:anywhere]">
            {title || node_id}{' '}
            {runs === 'both' ? (
              run?.status !== second?.status && (
                <Badge tone="warn">
                  {t(`workflows.status.${run!.status}`)} → {t(`workflows.status.${second!.status}`)}
                </Badge>
              )
            ) : (
              <Badge tone="warn">{t(runs === 'run' ? 'workflows.onlyShownRun' : 'workflows.onlyThisRun')}</Badge>
            )}
            <Changes label={t('workflows.inputs')} values={inputs} />
            <Changes label={t('workflows.outputs')} values={outputs} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ChangedValues {
  readonly changes: readonly { readonly member: string; readonly run?: unknown; readonly other?: unknown }[];
  readonly changes_omitted: number;
}

function Changes({ label, values: { changes, changes_omitted } }: { label: string; values: ChangedValues }) {
  if (changes.length === 0) return null;
  return (
    <ul className="ps-2 text-xs">
      {changes.map(({ member, run, other }) => (
        <li key={member}>
          {label} <code>{member}</code>: <code className="bg-bad-back">{textOf(run)}</code> →{' '}
          <code className="bg-good-back">{textOf(other)}</code>
        </li>
      ))}
      {changes_omitted > 0 && <li>… {number(changes_omitted)}</li>}
    </ul>
  );
}

function textOf(value: unknown): string {
  return value === undefined ? '–' : JSON.stringify(value);
}
