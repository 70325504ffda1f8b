import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bot, Copy, SquareArrowOutUpRight, Trash2, Workflow } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { useMay } from '../../app/session.ts';
import { time, useT } from '../../texts/i18n.ts';
import type { MenuAction } from '../../ui/actions-menu.tsx';
import { Badge, Loading, PageTitle } from '../../ui/controls.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityCard, EntityCards } from '../../ui/entity-card.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { isNamed, NameFilter } from '../../ui/name-filter.tsx';
import { NewByName } from '../../ui/new-by-name.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { copyRequest } from './duplicate.ts';

type Application = Schemas['Application'];

export function Applications() {
  const t = useT();
  const may = useMay();
  const [filter, setFilter] = useState('');
  const query = useInfiniteQuery({
    queryKey: ['applications'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor }) =>
      (await dataOf(api.GET('/api/v1/applications', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })))
        .data,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const { actionsOf, error: failed } = useActions();
  const { data, error, isPending } = query;
  const applications = data?.pages.flatMap((page) => page.applications) ?? [];
  const shown = applications.filter(({ name, description }) => isNamed(filter, name, description));
  const canMake = may('POST /api/v1/applications');
  const isEmpty = data !== undefined && applications.length === 0;
  return (
    <>
      <PageTitle about={t('applications.about')} actions={canMake && !isEmpty && <NewApplication />}>
        {t('nav.applications')}
      </PageTitle>
      <ProblemNote error={error ?? failed} />
      {isPending && <Loading />}
      {isEmpty && (
        <EmptyState icon={Bot} text={t('applications.none')}>
          {canMake && <NewApplication />}
        </EmptyState>
      )}
      <NameFilter count={applications.length} value={filter} onChange={setFilter} />
      <EntityCards>
        {shown.map((application) => {
          const { id, name, type, description, updated_at, config } = application;
          return (
            <EntityCard
              key={id}
              icon={type === 'workflow' ? Workflow : Bot}
              name={name}
              description={description}
              link={{ to: '/applications/$id', params: { id } }}
              actions={actionsOf(application)}
            >
              <Badge>{t(`applications.type.${type}`)}</Badge>
              {type === 'chat' && <span className="[overflow-wrap:anywhere]">{config.model.name}</span>}
              <span className="ms-auto">{time(updated_at)}</span>
            </EntityCard>
          );
        })}
      </EntityCards>
      <MoreButton query={query} />
    </>
  );
}

/** Actions that the person's role allows on an application of the list. */
function useActions() {
  const t = useT();
  const may = useMay();
  const navigate = useNavigate();
  const duplicate = useAction(
    (body: Schemas['ChatCreateApplicationRequest']) => dataOf(api.POST('/api/v1/applications', { body })),
    ['applications'],
  );
  const remove = useAction(
    (id: string) => dataOf(api.DELETE('/api/v1/applications/{id}', { params: { path: { id } } })),
    ['applications'],
  );
  const actionsOf = (application: Application): readonly MenuAction[] => {
    const { id, name } = application;
    const copy = copyRequest(application, t('common.copyOf', { name }).slice(0, 100));
    return [
      {
        label: t('common.open'),
        icon: SquareArrowOutUpRight,
        onSelect: () => void navigate({ to: '/applications/$id', params: { id } }),
      },
      ...(copy && may('POST /api/v1/applications')
        ? [{ label: t('common.duplicate'), icon: Copy, onSelect: () => duplicate.mutate(copy) }]
        : []),
      ...(may('DELETE /api/v1/applications/{id}')
        ? [
            {
              label: t('common.remove'),
              icon: Trash2,
              question: t('common.removeQuestion', { name }),
              onSelect: () => remove.mutate(id),
            },
          ]
        : []),
    ];
  };
  return { actionsOf, error: duplicate.error ?? remove.error };
}

function NewApplication() {
  const t = useT();
  const navigate = useNavigate();
  const create = useAction(
    async (name: string) => {
      const { data } = await dataOf(api.POST('/api/v1/applications', { body: { name, type: 'chat' } }));
      await navigate({ to: '/applications/$id', params: { id: data.id } });
    },
    ['applications'],
  );
  return <NewByName label={t('applications.new')} create={create} />;
}
