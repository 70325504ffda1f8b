import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { AUDIT_GROUPS, type AuditEntry, type AuditGroup, actionText, isOfGroup } from '../../texts/audit.ts';
import { time, useLanguage, useT } from '../../texts/i18n.ts';
import { Scroll, Select, TextField } from '../../ui/controls.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

type Names = ReadonlyMap<string, string>;

/** The audit trail in words, with names of people and keys. */
export function Audit() {
  const t = useT();
  const language = useLanguage();
  const names = useNames();
  const [group, setGroup] = useState<AuditGroup | 'all'>('all');
  const [sought, setSought] = useState('');
  const query = useInfiniteQuery({
    queryKey: ['audit'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor }) =>
      (await dataOf(api.GET('/api/v1/audit', { params: { query: { limit: 100, ...(cursor && { cursor }) } } }))).data,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const { data, error } = query;
  const actorOf = ({ actor }: AuditEntry) =>
    actor.kind === 'system' ? t('account.system') : actor.id === null ? '—' : (names.get(actor.id) ?? actor.id);
  const rows = (data?.pages ?? [])
    .flatMap(({ entries }) => entries)
    .filter(({ action }) => group === 'all' || isOfGroup(action, group))
    .map((entry) => ({
      ...{ id: entry.id, at: time(entry.created_at), what: actionText(entry.action, language), who: actorOf(entry) },
      target: entry.target === null ? '—' : (names.get(entry.target) ?? entry.target),
      address: entry.address ?? '—',
    }))
    .filter((row) => Object.values(row).join(' ').toLowerCase().includes(sought.trim().toLowerCase()));
  return (
    <section className="card flex flex-col gap-3">
      <h2 className="font-semibold">{t('account.audit')}</h2>
      <ProblemNote error={error} />
      <div className="flex flex-wrap gap-3">
        <Select
          label={t('account.what')}
          value={group}
          onChange={({ target }) => setGroup(target.value as AuditGroup | 'all')}
        >
          <option value="all">{t('account.auditAll')}</option>
          {(Object.keys(AUDIT_GROUPS) as AuditGroup[]).map((name) => (
            <option key={name} value={name}>
              {t(`account.auditGroup.${name}`)}
            </option>
          ))}
        </Select>
        <TextField
          label={t('account.auditSearch')}
          type="search"
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      </div>
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
            {rows.map(({ id, at, what, who, target, address }) => (
              <tr key={id}>
                <td className="whitespace-nowrap">{at}</td>
                <td>{what}</td>
                <td>{who}</td>
                <td>{target}</td>
                <td>{address}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {data && rows.length === 0 && <p className="text-muted">{t('account.auditNone')}</p>}
      <MoreButton query={query} />
    </section>
  );
}

/** Names by ids. Those of removed people, keys and applications are unknown. */
function useNames(): Names {
  const { members, keys, applications } = useLists();
  return new Map([
    ...(members ?? []).map(({ id, email }) => [id, email] as const),
    ...(keys ?? []).map(({ id, name }) => [id, name] as const),
    ...(applications ?? []).map(({ id, name }) => [id, name] as const),
  ]);
}

function useLists() {
  const [members, keys, applications] = useQueries({
    queries: [
      {
        queryKey: ['members'],
        queryFn: async () => (await dataOf(api.GET('/api/v1/members'))).data,
      },
      { queryKey: ['keys'], queryFn: async () => (await dataOf(api.GET('/api/v1/api-keys'))).data },
      {
        queryKey: ['palette', 'applications'],
        queryFn: async () =>
          (await dataOf(api.GET('/api/v1/applications', { params: { query: { limit: 100 } } }))).data.applications,
      },
    ],
  });
  return { members: members.data?.members, keys: keys.data, applications: applications.data };
}
