import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { number, time, useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Badge, Button } from '../../ui/controls.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FailureText } from '../../ui/failure-text.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Passages } from './passages.tsx';

const TONES = { pending: 'plain', indexing: 'plain', ready: 'good', failed: 'bad' } as const;

/** The documents of a knowledge base, with their states as they change. */
export function Documents({ base }: { base: string }) {
  const t = useT();
  const may = useMay();
  const [read, setRead] = useState<{ readonly id: string; readonly title: string } | null>(null);
  const { data: documents, error } = useQuery({
    queryKey: ['documents', base],
    queryFn: async () =>
      (
        await dataOf(
          api.GET('/api/v1/knowledge-bases/{id}/documents', { params: { path: { id: base }, query: { limit: 100 } } }),
        )
      ).data.documents,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'pending' || status === 'indexing') ? 1_000 : false,
  });
  const remove = useAction(
    async (document_id: string) =>
      dataOf(
        api.DELETE('/api/v1/knowledge-bases/{id}/documents/{document_id}', {
          params: { path: { id: base, document_id } },
        }),
      ),
    ['documents', 'bases'],
  );
  return (
    <section className="card mt-4">
      <h2 className="font-semibold">{t('knowledge.documents')}</h2>
      <ProblemNote error={error ?? remove.error} />
      <DataTable
        label={t('knowledge.documents')}
        rows={documents}
        rowKey={({ id }) => id}
        empty={t('knowledge.noDocuments')}
        columns={[
          { title: t('knowledge.document'), cell: ({ title }) => title },
          {
            title: t('knowledge.state'),
            cell: ({ status, failure }) => (
              <>
                <Badge tone={TONES[status]}>{t(`knowledge.status.${status}`)}</Badge>
                {failure && (
                  <p className="text-bad">
                    <FailureText failure={failure} />
                  </p>
                )}
              </>
            ),
          },
          { title: t('knowledge.passages'), kind: 'number', cell: ({ passage_count }) => number(passage_count) },
          { title: t('knowledge.added'), kind: 'fixed', cell: ({ created_at }) => time(created_at) },
          {
            title: null,
            cell: ({ id, title, passage_count }) => (
              <>
                {passage_count > 0 && (
                  <Button data-shows="passages" onClick={() => setRead({ id, title })}>
                    {t('knowledge.look')}
                  </Button>
                )}
                {may('DELETE /api/v1/knowledge-bases/{id}/documents/{document_id}') && (
                  <ConfirmedButton
                    label={t('common.remove')}
                    question={t('common.removeQuestion', { name: title })}
                    onConfirm={() => remove.mutate(id)}
                  />
                )}
              </>
            ),
          },
        ]}
      />
      {read && <Passages base={base} document={read} onClose={() => setRead(null)} />}
    </section>
  );
}
