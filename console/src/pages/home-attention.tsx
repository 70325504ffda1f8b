import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../api/client.ts';
import { useMay } from '../app/session.ts';
import { useT } from '../texts/i18n.ts';
import { Button, buttonClass } from '../ui/controls.tsx';
import { FailureText } from '../ui/failure-text.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useArrival } from './read/arrival.ts';
import { waitingRunsQuery } from './workflows/waiting-runs.ts';

/** An older run is hardly news. */
const RECENT_MS = 7 * 24 * 60 * 60 * 1000;

/** Items that wait for a person. */
export function Attention() {
  const t = useT();
  const may = useMay();
  const { data: open } = useQuery({
    queryKey: ['extractions', 'attention'],
    queryFn: () => dataOf(api.GET('/api/v1/extractions', { params: { query: { limit: 100, needsReview: 'true' } } })),
  });
  const { data: letters } = useQuery({
    queryKey: ['dead-letters', 'attention'],
    enabled: may('GET /api/v1/dead-letters'),
    queryFn: async () => (await dataOf(api.GET('/api/v1/dead-letters', { params: { query: { limit: 100 } } }))).data,
  });
  const { data: runs } = useQuery({
    queryKey: ['runs', 'attention'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/workflow-runs', { params: { query: { limit: 100, status: 'failed' } } }))).data
        .runs,
  });
  const { data: waiting } = useQuery(waitingRunsQuery);
  const failed = runs?.filter(({ created_at }) => Date.parse(created_at) > Date.now() - RECENT_MS) ?? [];
  const pages = open?.extractions.length ?? 0;
  const lines = open?.extractions.reduce((sum, { openLines }) => sum + (openLines ?? 0), 0) ?? 0;
  const dead = letters?.dead_letters.length ?? 0;
  const isMore = open?.nextCursor !== null && open !== undefined;
  return (
    <section className="card min-h-28">
      <h2 className="font-semibold">{t('home.attention')}</h2>
      <ul className="mt-2 flex flex-col gap-2 text-sm">
        {pages > 0 && (
          <li>
            <Link to="/extractions" search={{ open: true }} className="text-accent underline">
              {t('home.toReview', { lines, count: pages })}
              {isMore && ' +'}
            </Link>
          </li>
        )}
        {dead > 0 && <li>{t('home.deadLetters', { count: dead })}</li>}
        {waiting && waiting.length > 0 && (
          <li>
            <Link to="/workflows/waiting" className="text-accent underline">
              {t('waiting.count', { count: waiting.length })}
            </Link>
          </li>
        )}
        {failed[0] && (
          <li>
            <Link
              to="/workflows/$id"
              params={{ id: failed[0].workflow_id }}
              search={{ run: failed[0].id }}
              className="text-accent underline"
            >
              {t('home.failedRuns', { count: failed.length })}
            </Link>
            {failed[0].failure && (
              <span className="text-muted">
                {' '}
                <FailureText failure={failed[0].failure} isBrief />
              </span>
            )}
          </li>
        )}
        {pages === 0 && dead === 0 && failed.length === 0 && !waiting?.length && (
          <li className="text-muted">{t('home.nothing')}</li>
        )}
      </ul>
    </section>
  );
}

export function FirstSteps() {
  const t = useT();
  const may = useMay();
  const arrive = useArrival('/');
  const sample = useMutation({
    async mutationFn() {
      const [{ extract, upload }, { default: page }] = await Promise.all([
        import('./read/send.ts'),
        import('../../../docs/sample-page.png'),
      ]);
      const blob = await (await fetch(page)).blob();
      const imageUrl = await upload(new File([blob], 'sample-page.png', { type: 'image/png' }));
      return extract({ imageUrl, fileName: 'sample-page.png', page: null }, crypto.randomUUID());
    },
    onSuccess: ({ requestId }) => arrive.done({ to: '/review/$id', params: { id: requestId } }),
    onError: arrive.failed,
  });
  if (!may('POST /api/v1/edi-extract-lite/extract')) return null;
  return (
    <section className="card flex flex-col gap-2">
      <h2 className="font-semibold">{t('home.firstSteps')}</h2>
      <div className="flex flex-wrap gap-2">
        <Button look="main" disabled={sample.isPending} onClick={() => sample.mutate()}>
          {sample.isPending ? t('read.reading') : t('home.readSample')}
        </Button>
        <Link to="/applications" className={buttonClass()}>
          {t('home.firstChat')}
        </Link>
        <Link to="/sandbox" className={buttonClass()}>
          {t('home.firstProgram')}
        </Link>
      </div>
      <ProblemNote error={sample.error} />
    </section>
  );
}
