import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Library, SquareArrowOutUpRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { number, useT } from '../../texts/i18n.ts';
import { Loading, PageTitle } from '../../ui/controls.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityCard, EntityCards } from '../../ui/entity-card.tsx';
import { isNamed, NameFilter } from '../../ui/name-filter.tsx';
import { NewByName } from '../../ui/new-by-name.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';

export const basesQuery = {
  queryKey: ['bases'],
  queryFn: async () =>
    (await dataOf(api.GET('/api/v1/knowledge-bases', { params: { query: { limit: 100 } } }))).data.knowledge_bases,
};

export function Knowledge() {
  const t = useT();
  const may = useMay();
  const navigate = useNavigate();
  const [filter, setFilter] = useState('');
  const { data, error, isPending } = useQuery(basesQuery);
  const remove = useAction(
    (id: string) => dataOf(api.DELETE('/api/v1/knowledge-bases/{id}', { params: { path: { id } } })),
    ['bases'],
  );
  const shown = data?.filter(({ name, description }) => isNamed(filter, name, description));
  const canMake = may('POST /api/v1/knowledge-bases');
  return (
    <>
      <PageTitle about={t('knowledge.about')} actions={canMake && data && data.length > 0 && <NewBase />}>
        {t('nav.knowledge')}
      </PageTitle>
      <ProblemNote error={error ?? remove.error} />
      {isPending && <Loading />}
      {data?.length === 0 && (
        <EmptyState icon={Library} text={t('knowledge.none')}>
          {canMake && <NewBase />}
        </EmptyState>
      )}
      <NameFilter count={data?.length ?? 0} value={filter} onChange={setFilter} />
      <EntityCards>
        {shown?.map(({ id, name, description, document_count, passage_count }) => (
          <EntityCard
            key={id}
            icon={Library}
            name={name}
            description={description}
            link={{ to: '/knowledge/$id', params: { id } }}
            actions={[
              {
                label: t('common.open'),
                icon: SquareArrowOutUpRight,
                onSelect: () => void navigate({ to: '/knowledge/$id', params: { id } }),
              },
              ...(may('DELETE /api/v1/knowledge-bases/{id}')
                ? [
                    {
                      label: t('common.remove'),
                      icon: Trash2,
                      question: t('common.removeQuestion', { name }),
                      onSelect: () => remove.mutate(id),
                    },
                  ]
                : []),
            ]}
          >
            {t('knowledge.documentCount', { count: document_count, shown: number(document_count) })} ·{' '}
            {t('knowledge.passageCount', { count: passage_count, shown: number(passage_count) })}
          </EntityCard>
        ))}
      </EntityCards>
    </>
  );
}

function NewBase() {
  const t = useT();
  const navigate = useNavigate();
  const create = useAction(
    async (name: string) => {
      const { data } = await dataOf(api.POST('/api/v1/knowledge-bases', { body: { name } }));
      await navigate({ to: '/knowledge/$id', params: { id: data.id } });
    },
    ['bases'],
  );
  return <NewByName label={t('knowledge.newBase')} create={create} />;
}
