import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useT } from '../../texts/i18n.ts';
import { Loading, PageTitle, Scroll } from '../../ui/controls.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import type { ExportedPage } from '../../ui/exported-page.ts';
import { MoreButton } from '../../ui/more-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useRowsInSight } from '../../ui/rows-in-sight.ts';
import { decisionsOf } from '../review/decisions.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { Filters } from './filters.tsx';
import { type Listed, type ResultsSearch, sorted } from './listed.ts';
import { COLUMNS, ResultRow } from './result-row.tsx';

const PAGE_SIZE = 100;
/** Lists that are longer are not read anew by themselves: that would be one call for each page of theirs. */
const REFRESHED_PAGES = 5;
const ROW_HEIGHT = 64;
const MAX_EXPORTED = 1_000;

export function Extractions() {
  const t = useT();
  const search = useSearch({ from: '/shell/extractions' });
  const { job, sort = 'newest' } = search;
  const query = useResults(search);
  const { data, error, isPending, hasNextPage, isFetching, fetchNextPage } = query;
  const loaded = useMemo(() => data?.pages.flatMap((page) => page.extractions) ?? [], [data]);
  const results = useMemo(() => sorted(loaded, sort), [loaded, sort]);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  // Results that a filter hides are not chosen: only shown ones are deleted.
  const chosen = useMemo(
    () => new Set(results.map(({ extractionId }) => extractionId).filter((id) => ticked.has(id))),
    [results, ticked],
  );
  const exported = results.slice(0, MAX_EXPORTED);
  return (
    <>
      <PageTitle
        actions={
          results.length > 0 && (
            <ExportMenu
              name={job ?? 'extractions'}
              note={
                exported.length < results.length || hasNextPage
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
      <Filters />
      <ProblemNote error={error} />
      {chosen.size > 0 && (
        <ChosenBar chosen={chosen} onChoose={(ids) => setTicked(new Set(ids))} load={() => loadAll([...chosen])} />
      )}
      {isPending && <Loading />}
      {data && results.length === 0 && !hasNextPage && <p className="text-muted">{t(emptyText(search))}</p>}
      {sort !== 'newest' && hasNextPage && (
        <p className="mb-2 text-sm text-muted">{t('extractions.sortsLoaded', { count: results.length })}</p>
      )}
      {results.length > 0 && (
        <Results
          results={results}
          chosen={chosen}
          setTicked={setTicked}
          hasMore={hasNextPage}
          onEndInSight={() => {
            if (hasNextPage && !isFetching && error === null) void fetchNextPage();
          }}
        />
      )}
      <MoreButton query={query} />
    </>
  );
}

function useResults({ job, open, table, q }: ResultsSearch) {
  return useInfiniteQuery({
    queryKey: ['extractions', job, open, table, q],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET('/api/v1/extractions', {
          params: {
            query: {
              limit: PAGE_SIZE,
              ...(pageParam !== undefined && { cursor: pageParam }),
              ...(open !== undefined && { needsReview: open ? ('true' as const) : ('false' as const) }),
              ...(table === false && { foundTable: 'false' as const }),
              ...(job !== undefined && { jobId: job }),
              ...(q !== undefined && { search: q }),
            },
          },
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    structuralSharing: false,
    refetchOnWindowFocus: isShort,
    refetchOnMount: isShort,
  });
}

function Results({
  results,
  chosen,
  setTicked,
  hasMore,
  onEndInSight,
}: {
  results: readonly Listed[];
  chosen: ReadonlySet<string>;
  setTicked: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
  hasMore: boolean;
  onEndInSight: () => void;
}) {
  const t = useT();
  const rows = useRowsInSight<HTMLTableSectionElement>({ count: results.length, rowHeight: ROW_HEIGHT, onEndInSight });
  const choose = useCallback(
    (id: string, isChosen: boolean) =>
      setTicked((before) => new Set(isChosen ? [...before, id] : [...before].filter((each) => each !== id))),
    [setTicked],
  );
  const areAllChosen = chosen.size === results.length;
  return (
    <Scroll label={t('nav.extractions')}>
      <table
        className="table table-fixed max-sm:min-w-0 sm:min-w-3xl"
        aria-rowcount={hasMore ? -1 : results.length + 1}
      >
        <thead>
          <tr>
            <th className="w-10">
              <input
                type="checkbox"
                className="size-4 align-middle"
                aria-label={t('extractions.chooseAll')}
                checked={areAllChosen}
                ref={(box) => {
                  if (box) box.indeterminate = chosen.size > 0 && !areAllChosen;
                }}
                onChange={() =>
                  setTicked(() => new Set(areAllChosen ? [] : results.map(({ extractionId }) => extractionId)))
                }
              />
            </th>
            <th>{t('extractions.file')}</th>
            <th className="w-48 max-sm:hidden">{t('extractions.when')}</th>
            <th className="number w-20 max-sm:hidden">{t('extractions.lines')}</th>
            <th className="w-24 sm:w-40">{t('export.status')}</th>
            <th className="w-40 max-sm:hidden">{t('extractions.review')}</th>
          </tr>
        </thead>
        <tbody ref={rows.list}>
          <Spacer height={rows.before} />
          {rows.indexes.map((index) => {
            const result = results[index];
            if (result === undefined) return null;
            return (
              <ResultRow
                key={result.extractionId}
                index={index}
                result={result}
                isChosen={chosen.has(result.extractionId)}
                onChoose={choose}
                measure={rows.measure}
              />
            );
          })}
          <Spacer height={rows.after} />
        </tbody>
      </table>
    </Scroll>
  );
}

function Spacer({ height }: { height: number }) {
  return height > 0 ? (
    <tr>
      <td colSpan={COLUMNS} className="border-0! p-0!" style={{ height }} />
    </tr>
  ) : null;
}

const emptyText = ({ job, open, table, q }: ResultsSearch) =>
  [job, open, table, q].every((filter) => filter === undefined)
    ? ('extractions.none' as const)
    : ('extractions.noneFound' as const);

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
