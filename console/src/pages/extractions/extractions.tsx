import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { number, time, useT } from '../../texts/i18n.ts';
import { Badge, Button, Loading, PageTitle, Scroll, Select } from '../../ui/controls.tsx';
import { type ExportedPage, ExportMenu } from '../../ui/export-menu.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { decisionsOf } from '../review/decisions.ts';

const PAGE_SIZE = 50;

export function Extractions() {
  const t = useT();
  const navigate = useNavigate();
  const { job, open } = useSearch({ from: '/shell/extractions' });
  const query = useInfiniteQuery({
    queryKey: ['extractions', job, open],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET('/api/v1/extractions', {
          params: {
            query: {
              limit: PAGE_SIZE,
              ...(pageParam !== undefined && { cursor: pageParam }),
              ...(open !== undefined && { needsReview: open ? ('true' as const) : ('false' as const) }),
              ...(job !== undefined && { jobId: job }),
            },
          },
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const { data, error, isPending, hasNextPage } = query;
  const extractions = data?.pages.flatMap((page) => page.extractions) ?? [];
  return (
    <>
      <PageTitle
        actions={
          extractions.length > 0 && (
            <ExportMenu
              name={job ?? 'extractions'}
              load={() => loadAll(extractions.map(({ extractionId }) => extractionId))}
            />
          )
        }
      >
        {t('nav.extractions')}
      </PageTitle>
      <div className="mb-3 flex flex-wrap items-end gap-3">
        <Select
          label={t('extractions.show')}
          value={open === undefined ? 'all' : String(open)}
          onChange={({ target: { value } }) =>
            void navigate({ to: '/extractions', search: { job, open: value === 'all' ? undefined : value === 'true' } })
          }
        >
          <option value="all">{t('extractions.all')}</option>
          <option value="true">{t('extractions.open')}</option>
          <option value="false">{t('extractions.done')}</option>
        </Select>
        {job !== undefined && (
          <Button onClick={() => void navigate({ to: '/extractions', search: { open } })}>
            {t('extractions.everyBatch')}
          </Button>
        )}
      </div>
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data && extractions.length === 0 && !hasNextPage && <p className="text-muted">{t('extractions.none')}</p>}
      {extractions.length > 0 && (
        <Scroll label={t('nav.extractions')}>
          <table className="table">
            <thead>
              <tr>
                <th>{t('extractions.when')}</th>
                <th className="number">{t('extractions.lines')}</th>
                <th>{t('export.status')}</th>
                <th>{t('extractions.review')}</th>
              </tr>
            </thead>
            <tbody>
              {extractions.map(({ extractionId, createdAt, itemCount, byStatus, openLines, foundTable }) => (
                <tr key={extractionId} className="[content-visibility:auto]">
                  <td>
                    <Link to="/review/$id" params={{ id: extractionId }} className="text-accent underline">
                      {time(createdAt)}
                    </Link>
                  </td>
                  <td className="number">{number(itemCount)}</td>
                  <td>
                    {byStatus && foundTable && (
                      <span className="flex flex-wrap gap-1">
                        <Badge tone="good">● {byStatus.green}</Badge>
                        <Badge tone="warn">▲ {byStatus.yellow}</Badge>
                        <Badge tone="bad">■ {byStatus.red}</Badge>
                      </span>
                    )}
                    {!foundTable && t('review.noTable')}
                  </td>
                  <td>
                    {(openLines ?? 0) > 0 ? t('review.open', { count: openLines ?? 0 }) : t('extractions.nothing')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <MoreButton query={query} />
    </>
  );
}

/** One after the other, so that the limit of calls is left to others too. */
async function loadAll(ids: readonly string[]): Promise<readonly ExportedPage[]> {
  const pages: ExportedPage[] = [];
  for (const id of ids) {
    const extraction = await dataOf(api.GET('/api/v1/extractions/{id}', { params: { path: { id } } }));
    pages.push({ extraction, decisions: decisionsOf(extraction.review) });
  }
  return pages;
}
