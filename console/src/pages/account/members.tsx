import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { RestrictedCall, Role } from '../../app/permissions.ts';
import { useSession } from '../../app/session.ts';
import { time, useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Badge, Button, Select, TextField } from '../../ui/controls.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';

const ROLES: readonly Role[] = ['viewer', 'admin', 'owner'];

export function Members({ may }: { may: (call: RestrictedCall) => boolean }) {
  const t = useT();
  const { email: own } = useSession();
  const { data, error } = useQuery({
    queryKey: ['members'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/members'))).data,
  });
  const change = useAction(
    async ({ id, role }: { id: string; role: Role }) =>
      dataOf(api.PATCH('/api/v1/members/{id}', { params: { path: { id } }, body: { role } })),
    ['members'],
  );
  const remove = useAction(
    async (id: string) => dataOf(api.DELETE('/api/v1/members/{id}', { params: { path: { id } } })),
    ['members'],
  );
  const isOwner = may('PATCH /api/v1/members/{id}');
  const everybody = [
    ...(data?.members ?? []).map((member) => ({ ...member, isInvited: false })),
    ...(data?.invitations ?? []).map((invitation) => ({ ...invitation, isInvited: true })),
  ];
  return (
    <div className="flex flex-col gap-4">
      {may('POST /api/v1/members') && <Invite />}
      <section className="card">
        <h2 className="font-semibold">
          {t('account.members')} <Badge>{everybody.length}</Badge>
        </h2>
        <ProblemNote error={error ?? change.error ?? remove.error} />
        <DataTable
          label={t('account.members')}
          rows={data && everybody}
          rowKey={({ id }) => id}
          columns={[
            {
              title: t('login.email'),
              cell: ({ email }) => (
                <span className="flex items-center gap-2">
                  <span
                    aria-hidden
                    className="flex size-8 shrink-0 items-center justify-center rounded-full bg-raised font-semibold uppercase"
                  >
                    {email[0]}
                  </span>
                  {email} {email === own && <Badge tone="good">{t('account.you')}</Badge>}
                </span>
              ),
            },
            {
              title: t('account.role'),
              cell: ({ id, email, role, isInvited }) =>
                isOwner && !isInvited ? (
                  <select
                    className="field min-w-28"
                    aria-label={`${t('account.role')} ${email}`}
                    value={role}
                    onChange={({ target }) => change.mutate({ id, role: target.value as Role })}
                  >
                    {ROLES.map((each) => (
                      <option key={each} value={each}>
                        {t(`role.${each}`)}
                      </option>
                    ))}
                  </select>
                ) : (
                  t(`role.${role}`)
                ),
            },
            {
              title: t('account.since'),
              cell: ({ created_at, isInvited }) => (
                <>
                  {isInvited && <Badge tone="warn">{t('account.invited')}</Badge>} {time(created_at)}
                </>
              ),
            },
            {
              title: null,
              cell: ({ id, email }) =>
                may('DELETE /api/v1/members/{id}') && (
                  <ConfirmedButton
                    label={t('common.remove')}
                    question={t('account.removeMember', { email })}
                    onConfirm={() => remove.mutate(id)}
                  />
                ),
            },
          ]}
        />
      </section>
      <section className="card">
        <h2 className="font-semibold">{t('account.roles')}</h2>
        <dl className="mt-2 grid gap-3 text-sm sm:grid-cols-3">
          {ROLES.map((each) => (
            <div key={each}>
              <dt className="font-medium">{t(`role.${each}`)}</dt>
              <dd className="text-muted">{t(`account.roleHint.${each}`)}</dd>
            </div>
          ))}
        </dl>
        <Link
          to="/guides/$"
          params={{ _splat: 'roles.md' }}
          className="mt-2 inline-block text-sm text-accent underline"
        >
          {t('account.rolesGuide')}
        </Link>
      </section>
    </div>
  );
}

function Invite() {
  const t = useT();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const invite = useAction(() => dataOf(api.POST('/api/v1/members', { body: { email, role } })), ['members']);
  return (
    <form
      className="card flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate();
      }}
    >
      <h2 className="font-semibold">{t('account.invite')}</h2>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t('login.email')}
          type="email"
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Select
          label={t('account.role')}
          hint={t(`account.roleHint.${role}`)}
          value={role}
          onChange={({ target }) => setRole(target.value as Role)}
        >
          {ROLES.map((each) => (
            <option key={each} value={each}>
              {t(`role.${each}`)}
            </option>
          ))}
        </Select>
      </div>
      <ProblemNote error={invite.error} />
      {invite.isSuccess && <p role="status">{t('account.inviteSent')}</p>}
      <Button type="submit" look="main" className="self-start" disabled={invite.isPending}>
        {t('account.invite')}
      </Button>
    </form>
  );
}
