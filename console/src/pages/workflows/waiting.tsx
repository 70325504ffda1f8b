import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Loading, PageTitle } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { Run } from './graph.ts';
import { PendingDecisions } from './pending-decisions.tsx';
import { waitingRunsQuery } from './waiting-runs.ts';

/** Every approval and form that a run waits for, to be decided here. */
export function Waiting() {
  const t = useT();
  const { data: waiting, error, isPending } = useQuery(waitingRunsQuery);
  const { data: workflows } = useQuery({
    queryKey: ['workflows'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/workflows', { params: { query: { limit: 100 } } }))).data.workflows,
  });
  const names = new Map(workflows?.map(({ id, name }) => [id, name]));
  const runs = useQueries({
    queries: (waiting ?? []).map(({ id }) => ({
      queryKey: ['run', id],
      queryFn: async () => (await dataOf(api.GET('/api/v1/runs/{id}', { params: { path: { id } } }))).data,
    })),
  });
  return (
    <>
      <PageTitle>{t('waiting.title')}</PageTitle>
      <p className="mb-4 text-muted">{t('waiting.about')}</p>
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {waiting?.length === 0 && <p className="text-muted">{t('waiting.none')}</p>}
      <ul className="grid gap-3 lg:grid-cols-2">
        {runs.map(
          ({ data: run }, index) =>
            run && (
              <li key={waiting![index]!.id} className="card flex flex-col gap-2">
                <WaitingRun run={run} workflow={names.get(run.workflow_id) ?? ''} />
              </li>
            ),
        )}
      </ul>
    </>
  );
}

function WaitingRun({ run, workflow }: { run: Run; workflow: string }) {
  const t = useT();
  return (
    <>
      <h2 className="flex flex-wrap justify-between gap-2 font-semibold">
        <span className="[overflow-wrap:anywhere]">{workflow}</span>
        <span className="text-sm font-normal text-muted">{t('waiting.since', { time: time(run.created_at) })}</span>
      </h2>
      <PendingDecisions run={run} />
      <Link
        to="/workflows/$id"
        params={{ id: run.workflow_id }}
        search={{ run: run.id }}
        className="self-start text-sm text-accent underline"
      >
        {t('waiting.open')}
      </Link>
    </>
  );
}
