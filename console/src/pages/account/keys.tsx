import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { RestrictedCall } from '../../app/permissions.ts';
import { time, useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Badge, Button, TextField } from '../../ui/controls.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useAction } from '../../ui/use-action.ts';

const SCOPES = ['extraction', 'chat', 'sandbox'] as const;
type Scope = (typeof SCOPES)[number];

export function Keys({ may }: { may: (call: RestrictedCall) => boolean }) {
  const t = useT();
  const { data, error } = useQuery({
    queryKey: ['keys'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/api-keys'))).data,
  });
  const revoke = useAction(
    async (id: string) => dataOf(api.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } })),
    ['keys'],
  );
  return (
    <div className="flex flex-col gap-4">
      {may('POST /api/v1/api-keys') && <NewKey />}
      <section className="card">
        <h2 className="font-semibold">{t('account.keys')}</h2>
        <ProblemNote error={error ?? revoke.error} />
        <DataTable
          label={t('account.keys')}
          rows={data}
          rowKey={({ id }) => id}
          columns={[
            { title: t('common.name'), cell: ({ name }) => name },
            { title: t('account.prefix'), cell: ({ prefix }) => <code>{prefix}…</code> },
            { title: t('account.scopes'), cell: ({ scopes }) => <Scopes scopes={scopes} /> },
            { title: t('account.lastUsed'), kind: 'fixed', cell: ({ last_used_at: at }) => (at ? time(at) : '—') },
            {
              title: null,
              cell: ({ id, name }) =>
                may('DELETE /api/v1/api-keys/{id}') && (
                  <ConfirmedButton
                    label={t('account.revoke')}
                    question={t('account.revokeKey', { name })}
                    disabled={revoke.isPending}
                    onConfirm={() => revoke.mutate(id)}
                  />
                ),
            },
          ]}
        />
      </section>
    </div>
  );
}

function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  const t = useT();
  return (
    <span className="flex flex-wrap gap-1">
      {scopes.map((scope) => (
        <Badge key={scope}>{t(`account.scope.${scope}`)}</Badge>
      ))}
    </span>
  );
}

function NewKey() {
  const t = useT();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES);
  const create = useAction(
    async () => (await dataOf(api.POST('/api/v1/api-keys', { body: { name, scopes: [...scopes] } }))).data,
    ['keys'],
  );
  return (
    <form
      className="card flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <h2 className="font-semibold">{t('account.newKey')}</h2>
      <TextField
        label={t('common.name')}
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset className="flex flex-wrap gap-4">
        <legend className="text-sm font-medium">{t('account.scopes')}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(
                  target.checked
                    ? SCOPES.filter((each) => each === scope || scopes.includes(each))
                    : scopes.filter((each) => each !== scope),
                )
              }
            />
            {t(`account.scope.${scope}`)}
          </label>
        ))}
      </fieldset>
      <ProblemNote error={create.error} />
      {create.data && <ShownOnce label={t('account.keyOnce')} secret={create.data.key} />}
      <Button type="submit" look="main" className="self-start" disabled={create.isPending || scopes.length === 0}>
        {t('common.create')}
      </Button>
    </form>
  );
}
