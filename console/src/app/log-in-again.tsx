import { useState } from 'react';
import { sessionIsBack } from '../api/session-cookie.ts';
import { useT } from '../texts/i18n.ts';
import { CodeField } from '../ui/code-field.tsx';
import { Button, Dialog, TextField } from '../ui/controls.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useCompanySignIn } from './company-sign-in.ts';
import { useLogin } from './use-login.ts';

/** Shown over the page of an ended session: the page keeps its content, and waiting calls continue after the login. */
export function LogInAgain({ email }: { email: string }) {
  const t = useT();
  const [password, setPassword] = useState('');
  const login = useLogin(sessionIsBack);
  const company = useCompanySignIn(() => location.pathname + location.search);
  return (
    <Dialog title={t('login.ended')}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          login.logIn(email, password);
        }}
      >
        <p>{t('login.endedText')}</p>
        <p className="font-semibold">{email}</p>
        <TextField
          label={t('login.password')}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {login.asksForCode && <CodeField value={login.code} onChange={login.setCode} />}
        <ProblemNote error={login.error ?? company.error} />
        <Button type="submit" look="main" disabled={login.isPending}>
          {t('login.submit')}
        </Button>
        <Button disabled={company.isPending} onClick={() => company.mutate(email)}>
          {t('sso.signIn')}
        </Button>
      </form>
    </Dialog>
  );
}
