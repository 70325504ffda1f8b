import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { useT } from '../texts/i18n.ts';
import { Button, buttonClass, Note, TextField } from '../ui/controls.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Entrance } from './entrance.tsx';

export function Register() {
  const t = useT();
  const [body, setBody] = useState({ email: '', password: '', workspace_name: '' });
  const queries = useQueryClient();
  const register = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/auth/register', { body })),
    onSuccess: () => queries.clear(),
  });
  const set =
    (field: keyof typeof body) =>
    ({ target }: { target: { value: string } }) =>
      setBody({ ...body, [field]: target.value });
  if (register.data)
    return (
      <Entrance title={t('register.done')}>
        <div className="flex flex-col gap-3">
          <p>{t('register.key')}</p>
          <code className="rounded-lg bg-raised p-2 text-sm [overflow-wrap:anywhere]">
            {register.data.data.api_key.key}
          </code>
          <Note>{register.data.message}</Note>
          <Link to="/" className={buttonClass('main')}>
            {t('register.go')}
          </Link>
        </div>
      </Entrance>
    );
  return (
    <Entrance title={t('register.title')}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          register.mutate();
        }}
      >
        <TextField
          label={t('register.workspace')}
          required
          maxLength={80}
          value={body.workspace_name}
          onChange={set('workspace_name')}
        />
        <TextField
          label={t('login.email')}
          type="email"
          autoComplete="username"
          required
          value={body.email}
          onChange={set('email')}
        />
        <TextField
          label={t('login.password')}
          hint={t('register.passwordHint')}
          type="password"
          autoComplete="new-password"
          minLength={10}
          required
          value={body.password}
          onChange={set('password')}
        />
        <ProblemNote error={register.error} />
        <Button type="submit" look="main" disabled={register.isPending}>
          {t('register.submit')}
        </Button>
        <Link to="/login" search={{}} className="text-sm text-accent underline">
          {t('login.title')}
        </Link>
      </form>
    </Entrance>
  );
}
