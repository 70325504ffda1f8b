import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Badge, Button, Loading, PageTitle, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';

export function Applications() {
  const t = useT();
  const may = useMay();
  const { data, error, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['applications'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor }) =>
      (await dataOf(api.GET('/api/v1/applications', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })))
        .data,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const applications = data?.pages.flatMap((page) => page.applications) ?? [];
  return (
    <>
      <PageTitle>{t('nav.applications')}</PageTitle>
      <p className="mb-4 text-muted">{t('applications.about')}</p>
      {may('POST /api/v1/applications') && <NewApplication />}
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data && applications.length === 0 && <p className="mt-4 text-muted">{t('applications.none')}</p>}
      <ul className="mt-4 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {applications.map(({ id, name, type, description, updated_at }) => (
          <li key={id} className="card flex flex-col gap-1">
            <Link
              to="/applications/$id"
              params={{ id }}
              className="font-semibold text-accent underline [overflow-wrap:anywhere]"
            >
              {name}
            </Link>
            <p className="text-sm [overflow-wrap:anywhere]">{description}</p>
            <p className="text-sm text-muted">
              <Badge>{t(`applications.type.${type}`)}</Badge> {time(updated_at)}
            </p>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-3" onClick={() => void fetchNextPage()}>
          {t('common.more')}
        </Button>
      )}
    </>
  );
}

function NewApplication() {
  const t = useT();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useAction(async () => {
    const { data } = await dataOf(api.POST('/api/v1/applications', { body: { name, type: 'chat' } }));
    await navigate({ to: '/applications/$id', params: { id: data.id } });
  }, ['applications']);
  return (
    <form
      className="card flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <div className="min-w-0 flex-1 basis-60">
        <TextField
          label={t('applications.new')}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Button type="submit" look="main" disabled={create.isPending}>
        {t('common.create')}
      </Button>
      <div className="basis-full empty:hidden">
        <ProblemNote error={create.error} />
      </div>
    </form>
  );
}
