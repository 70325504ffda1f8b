import { useInfiniteQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Scroll } from '../../ui/controls.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

export function Audit() {
  const t = useT();
  const query = useInfiniteQuery({
    queryKey: ['audit'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor }) =>
      (await dataOf(api.GET('/api/v1/audit', { params: { query: { limit: 50, ...(cursor && { cursor }) } } }))).data,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const { data, error } = query;
  return (
    <section className="card">
      <h2 className="font-semibold">{t('account.audit')}</h2>
      <ProblemNote error={error} />
      <Scroll label={t('account.audit')}>
        <table className="table">
          <thead>
            <tr>
              <th>{t('common.when')}</th>
              <th>{t('account.what')}</th>
              <th>{t('account.who')}</th>
              <th>{t('account.target')}</th>
              <th>{t('account.address')}</th>
            </tr>
          </thead>
          <tbody>
            {data?.pages
              .flatMap(({ entries }) => entries)
              .map(({ id, created_at, action, actor, target, address }) => (
                <tr key={id}>
                  <td>{time(created_at)}</td>
                  <td>{action}</td>
                  <td>{actor.id ?? actor.kind}</td>
                  <td>{target ?? '—'}</td>
                  <td>{address ?? '—'}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </Scroll>
      <MoreButton query={query} />
    </section>
  );
}
