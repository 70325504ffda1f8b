import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { Problem } from '../api/problem.ts';

interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
}

/** A login by password, and by a code as well where the account has a second factor: the first 403 asks for it. */
export function useLogin(onSuccess: () => Promise<unknown> | unknown) {
  const [code, setCode] = useState('');
  const login = useMutation({
    mutationFn: (attempt: Attempt) => dataOf(api.POST('/api/v1/auth/login', { body: attempt })),
    onSuccess,
  });
  const { error, variables } = login;
  const needsMore = error instanceof Problem && error.status === 403 && error.code !== 'sso_required';
  const asksForCode = variables?.code !== undefined || needsMore;
  return {
    code,
    setCode,
    asksForCode,
    isPending: login.isPending,
    // The question for the code is not an error.
    error: asksForCode && variables?.code === undefined ? null : error,
    logIn: (email: string, password: string) => login.mutate({ email, password, ...(asksForCode && { code }) }),
  };
}
