import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { AUDIT_GROUPS, type AuditEntry, type AuditGroup, actionText, isOfGroup } from '../../texts/audit.ts';
import { time, useLanguage, useT } from '../../texts/i18n.ts';
import { Select, TextField } from '../../ui/controls.tsx';
import { DataTable } from '../../ui/data-table.tsx';
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
      <DataTable
        label={t('account.audit')}
        rows={data && rows}
        rowKey={({ id }) => id}
        empty={t('account.auditNone')}
        columns={[
          { title: t('common.when'), kind: 'fixed', cell: ({ at }) => at },
          { title: t('account.what'), cell: ({ what }) => what },
          { title: t('account.who'), cell: ({ who }) => who },
          { title: t('account.target'), cell: ({ target }) => target },
          { title: t('account.address'), cell: ({ address }) => address },
        ]}
      />
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
