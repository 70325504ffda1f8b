import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { useCompanySignIn } from '../app/company-sign-in.ts';
import { useLogin } from '../app/use-login.ts';
import { useT } from '../texts/i18n.ts';
import { CodeField } from '../ui/code-field.tsx';
import { Button, TextField } from '../ui/controls.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Entrance } from './entrance.tsx';

export function Login() {
  const t = useT();
  const { to } = useSearch({ from: '/login' });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const router = useRouter();
  const login = useLogin(async () => {
    queries.clear();
    const { data } = await dataOf(api.GET('/api/v1/auth/second-factor'));
    if (data.is_required && !data.is_on) await router.navigate({ to: '/account', search: { tab: 'security' } });
    else if (to === undefined) await router.navigate({ to: '/' });
    else router.history.push(to);
  });
  const company = useCompanySignIn(() => to ?? '/');
  return (
    <Entrance title={t('login.title')}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          login.logIn(email, password);
        }}
      >
        <TextField
          label={t('login.email')}
          name="email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <TextField
          label={t('login.password')}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {login.asksForCode && <CodeField value={login.code} onChange={login.setCode} />}
        <ProblemNote error={company.error ?? login.error} />
        <Button type="submit" look="main" disabled={login.isPending}>
          {t('login.submit')}
        </Button>
        <Button
          disabled={company.isPending}
          onClick={({ currentTarget }) => {
            const field = currentTarget.form?.elements.namedItem('email') as HTMLInputElement;
            if (field.reportValidity()) company.mutate(email);
          }}
        >
          {t('sso.signIn')}
        </Button>
        {isLocal() && <p className="text-sm text-muted">{t('login.demo')}</p>}
        <p className="text-sm">
          <Link to="/register" className="text-accent underline">
            {t('login.register')}
          </Link>{' '}
          ·{' '}
          <Link to="/forgot-password" className="text-accent underline">
            {t('links.forgot')}
          </Link>
        </p>
      </form>
    </Entrance>
  );
}

const isLocal = () => ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
