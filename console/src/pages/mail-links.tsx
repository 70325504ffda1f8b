import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { useT } from '../texts/i18n.ts';
import { Button, buttonClass, TextField } from '../ui/controls.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Entrance } from './entrance.tsx';

/** The token of a mail's link is in the fragment, which browsers do not send to servers. */
const linkToken = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

const CALLS = {
  invitation: (token: string, password: string) =>
    dataOf(api.POST('/api/v1/auth/accept-invitation', { body: { token, password } })),
  confirmation: (token: string, password: string) =>
    dataOf(api.POST('/api/v1/auth/confirm-email', { body: { token, password } })),
  reset: (token: string, new_password: string) =>
    dataOf(api.POST('/api/v1/auth/password-reset/confirm', { body: { token, new_password } })),
} as const;

function LinkPage({ kind }: { kind: keyof typeof CALLS }) {
  const t = useT();
  const queries = useQueryClient();
  const [token] = useState(linkToken);
  const [password, setPassword] = useState('');
  const use = useMutation({ mutationFn: async () => CALLS[kind](token, password), onSuccess: () => queries.clear() });
  const isNew = kind !== 'confirmation';
  return (
    <Entrance title={t(`links.${kind}`)}>
      {use.isSuccess ? (
        <div className="flex flex-col gap-3">
          <p role="status">{t('links.done')}</p>
          <Link to="/login" search={{}} className={buttonClass('main')}>
            {t('login.title')}
          </Link>
        </div>
      ) : (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            use.mutate();
          }}
        >
          <p className="text-sm">{t(`links.${kind}Text`)}</p>
          <TextField
            label={t('login.password')}
            hint={isNew ? t('register.passwordHint') : undefined}
            type="password"
            autoComplete={isNew ? 'new-password' : 'current-password'}
            minLength={isNew ? 10 : 1}
            required
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
          <ProblemNote error={use.error} />
          <Button type="submit" look="main" disabled={use.isPending}>
            {t('common.save')}
          </Button>
        </form>
      )}
    </Entrance>
  );
}

export const AcceptInvitation = () => <LinkPage kind="invitation" />;
export const ConfirmEmail = () => <LinkPage kind="confirmation" />;
export const ResetPassword = () => <LinkPage kind="reset" />;

export function ForgotPassword() {
  const t = useT();
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => dataOf(api.POST('/api/v1/auth/password-reset', { body: { email } })) });
  return (
    <Entrance title={t('links.forgot')}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <TextField
          label={t('login.email')}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <ProblemNote error={ask.error} />
        {ask.isSuccess && <p role="status">{t('links.sent')}</p>}
        <Button type="submit" look="main" disabled={ask.isPending}>
          {t('links.send')}
        </Button>
        <Link to="/login" search={{}} className="text-sm text-accent underline">
          {t('login.title')}
        </Link>
      </form>
    </Entrance>
  );
}
