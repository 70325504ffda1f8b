import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { paths } from '../../api/openapi.d.ts';
import { number, time, useT } from '../../texts/i18n.ts';
import { Badge, Button, Loading, PageTitle, Scroll, Select } from '../../ui/controls.tsx';
import { type ExportedPage, ExportMenu } from '../../ui/export-menu.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useRowsInSight } from '../../ui/rows-in-sight.ts';
import { decisionsOf } from '../review/decisions.ts';

const PAGE_SIZE = 100;
/** Lists that are longer are not read anew by themselves: that would be one call for each page of theirs. */
const REFRESHED_PAGES = 5;
const ROW_HEIGHT = 42;
const MAX_EXPORTED = 1_000;

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
    structuralSharing: false,
    refetchOnWindowFocus: isShort,
    refetchOnMount: isShort,
  });
  const { data, error, isPending, hasNextPage, isFetching, fetchNextPage } = query;
  const extractions = useMemo(() => data?.pages.flatMap((page) => page.extractions) ?? [], [data]);
  const exported = extractions.slice(0, MAX_EXPORTED);
  const rows = useRowsInSight<HTMLTableSectionElement>({
    count: extractions.length,
    rowHeight: ROW_HEIGHT,
    onEndInSight: () => {
      if (hasNextPage && !isFetching && error === null) void fetchNextPage();
    },
  });
  return (
    <>
      <PageTitle
        actions={
          extractions.length > 0 && (
            <ExportMenu
              name={job ?? 'extractions'}
              note={
                exported.length < extractions.length || hasNextPage
                  ? t('export.newest', { count: exported.length })
                  : undefined
              }
              load={() => loadAll(exported.map(({ extractionId }) => extractionId))}
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
          <table className="table min-w-lg table-fixed" aria-rowcount={hasNextPage ? -1 : extractions.length + 1}>
            <thead>
              <tr>
                <th>{t('extractions.file')}</th>
                <th>{t('extractions.when')}</th>
                <th className="number">{t('extractions.lines')}</th>
                <th>{t('export.status')}</th>
                <th>{t('extractions.review')}</th>
              </tr>
            </thead>
            <tbody ref={rows.list}>
              <Spacer height={rows.before} />
              {rows.indexes.map((index) => (
                <Row key={index} index={index} extraction={extractions[index]!} measure={rows.measure} />
              ))}
              <Spacer height={rows.after} />
            </tbody>
          </table>
        </Scroll>
      )}
      <MoreButton query={query} />
    </>
  );
}

type Entry =
  paths['/api/v1/extractions']['get']['responses'][200]['content']['application/json']['extractions'][number];

const Row = memo(function Row({
  index,
  extraction: { extractionId, createdAt, itemCount, byStatus, openLines, foundTable, fileName, reference },
  measure,
}: {
  index: number;
  extraction: Entry;
  measure: (row: HTMLElement | null) => void;
}) {
  const t = useT();
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td className="truncate" title={fileName ?? undefined}>
        <Link to="/review/$id" params={{ id: extractionId }} className="text-accent underline">
          {fileName ?? reference ?? t('extractions.unnamed')}
        </Link>
      </td>
      <td>{time(createdAt)}</td>
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
      <td>{(openLines ?? 0) > 0 ? t('review.open', { count: openLines ?? 0 }) : t('extractions.nothing')}</td>
    </tr>
  );
});

function Spacer({ height }: { height: number }) {
  return height > 0 ? (
    <tr>
      <td colSpan={5} className="border-0! p-0!" style={{ height }} />
    </tr>
  ) : null;
}

const isShort = ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }) =>
  (state.data?.pages.length ?? 0) <= REFRESHED_PAGES;

/** One after the other, so that the limit of calls is left to others too. */
async function loadAll(ids: readonly string[]): Promise<readonly ExportedPage[]> {
  const pages: ExportedPage[] = [];
  for (const id of ids) {
    const extraction = await dataOf(api.GET('/api/v1/extractions/{id}', { params: { path: { id } } }));
    pages.push({ extraction, decisions: decisionsOf(extraction.review) });
  }
  return pages;
}
