import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Badge, Loading, PageTitle } from '../../ui/controls.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { isNamed, NameFilter } from '../../ui/name-filter.tsx';
import { NameForm } from '../../ui/name-form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';

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
  const { data, error, isPending } = query;
  const applications = data?.pages.flatMap((page) => page.applications) ?? [];
  const shown = applications.filter(({ name, description }) => isNamed(filter, name, description));
  return (
    <>
      <PageTitle>{t('nav.applications')}</PageTitle>
      <p className="mb-4 text-muted">{t('applications.about')}</p>
      {may('POST /api/v1/applications') && <NewApplication />}
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data && applications.length === 0 && <p className="mt-4 text-muted">{t('applications.none')}</p>}
      <NameFilter count={applications.length} value={filter} onChange={setFilter} />
      <ul className="mt-4 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map(({ id, name, type, description, updated_at, config }) => (
          <li key={id} className="card flex flex-col gap-1">
            <Link
              to="/applications/$id"
              params={{ id }}
              className="flex items-center gap-2 font-semibold text-accent underline [overflow-wrap:anywhere]"
            >
              <Bot aria-hidden size={18} className="shrink-0" />
              {name}
            </Link>
            <p className="text-sm [overflow-wrap:anywhere]">{description}</p>
            <p className="text-sm text-muted">
              <Badge>{t(`applications.type.${type}`)}</Badge>{' '}
              {type === 'chat' && <span className="[overflow-wrap:anywhere]">{config.model.name}</span>} ·{' '}
              {time(updated_at)}
            </p>
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  );
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
  return <NameForm label={t('applications.new')} create={create} />;
}
