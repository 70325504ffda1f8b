import { useInfiniteQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { useT } from '../../texts/i18n.ts';
import { Dialog, Loading } from '../../ui/controls.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** A document as searches find it, passage by passage. */
export function Passages({
  base,
  document,
  onClose,
}: {
  base: string;
  document: { readonly id: string; readonly title: string };
  onClose: () => void;
}) {
  const t = useT();
  const path = { id: base, document_id: document.id };
  const query = useInfiniteQuery({
    queryKey: ['passages', base, document.id],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor }) =>
      (
        await dataOf(
          api.GET('/api/v1/knowledge-bases/{id}/documents/{document_id}/passages', {
            params: { path, query: { ...(cursor && { cursor }) } },
          }),
        )
      ).data,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const passages = query.data?.pages.flatMap((page) => page.passages) ?? [];
  return (
    <Dialog title={t('knowledge.passagesOf', { name: document.title })} width="wide" onClose={onClose}>
      <p className="mb-3 text-sm text-muted">{t('knowledge.passagesAbout')}</p>
      <ProblemNote error={query.error} />
      {query.isPending && <Loading />}
      {query.data && passages.length === 0 && <p className="text-muted">{t('knowledge.noPassages')}</p>}
      <ol className="flex flex-col gap-2">
        {passages.map(({ number, page, heading, text }) => (
          <li key={number} className="rounded-lg bg-raised p-3 text-sm">
            <p className="text-xs text-muted [overflow-wrap:anywhere]">
              {[
                t('knowledge.number', { number }),
                ...(page === null ? [] : [t('knowledge.page', { page })]),
                ...(heading.length === 0 ? [] : [heading.join(' › ')]),
              ].join(' · ')}
            </p>
            <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
          </li>
        ))}
      </ol>
      <MoreButton query={query} />
    </Dialog>
  );
}
