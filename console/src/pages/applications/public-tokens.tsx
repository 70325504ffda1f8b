import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Button, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Copyable, ShownOnce } from '../../ui/shown-once.tsx';
import { useAction } from '../../ui/use-action.ts';

/** Tokens for pages of others, with what these put into their HTML. */
export function PublicTokens({ id, mayChange }: { id: string; mayChange: boolean }) {
  const t = useT();
  const [origin, setOrigin] = useState('');
  const path = { id };
  const { data, error } = useQuery({
    queryKey: ['tokens', id],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/applications/{id}/access-tokens', { params: { path } }))).data.access_tokens,
  });
  const create = useAction(
    async () =>
      (
        await dataOf(
          api.POST('/api/v1/applications/{id}/access-tokens', {
            params: { path },
            body: { allowed_origins: origin.trim() === '' ? [] : [origin.trim()] },
          }),
        )
      ).data,
    ['tokens'],
  );
  const revoke = useAction(
    async (token_id: string) =>
      dataOf(api.DELETE('/api/v1/applications/{id}/access-tokens/{token_id}', { params: { path: { id, token_id } } })),
    ['tokens'],
  );
  return (
    <section className="card flex flex-col gap-3">
      <h2 className="font-semibold">{t('applications.embed')}</h2>
      <p className="text-sm text-muted">{t('applications.embedText')}</p>
      {mayChange && (
        <form
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <div className="min-w-0 flex-1 basis-60">
            <TextField
              label={t('applications.origin')}
              hint={t('applications.originHint')}
              placeholder="https://www.example.com"
              value={origin}
              onChange={({ target }) => setOrigin(target.value)}
            />
          </div>
          <Button type="submit" disabled={create.isPending}>
            {t('applications.newToken')}
          </Button>
        </form>
      )}
      <ProblemNote error={error ?? create.error ?? revoke.error} />
      {create.data && (
        <>
          <ShownOnce label={t('applications.tokenOnce')} secret={create.data.token} />
          <Copyable
            text={`<script src="${location.origin}/embed.js" data-token="${create.data.token}" async></script>`}
          />
        </>
      )}
      <ul className="flex flex-col gap-2 text-sm">
        {data?.map(({ id: tokenId, name, prefix, allowed_origins, used_today }) => (
          <li key={tokenId} className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {name} <code>{prefix}…</code> {allowed_origins.join(', ')} ·{' '}
              {t('applications.usedToday', { count: used_today.requests })}
            </span>
            {mayChange && (
              <ConfirmedButton
                label={t('account.revoke')}
                question={t('account.revokeKey', { name })}
                onConfirm={() => revoke.mutate(tokenId)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
