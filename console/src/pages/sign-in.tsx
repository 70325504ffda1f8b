import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api, dataOf } from '../api/client.ts';
import { takePageAfterSignIn } from '../app/company-sign-in.ts';
import { useT } from '../texts/i18n.ts';
import { Loading } from '../ui/controls.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Entrance } from './entrance.tsx';

/** The page that the identity provider sends the browser back to. */
export function SignIn() {
  const t = useT();
  const queries = useQueryClient();
  const router = useRouter();
  const { mutate, error } = useMutation({
    mutationFn: async (sent: URLSearchParams) => {
      const [code, iss, refusal] = ['code', 'iss', 'error'].map((name) => sent.get(name) ?? undefined);
      const body = { state: sent.get('state') ?? '', ...{ code, iss, error: refusal } };
      return dataOf(api.POST('/api/v1/auth/sso/callback', { body }));
    },
    onSuccess: () => {
      queries.clear();
      router.history.replace(takePageAfterSignIn());
    },
  });
  // The parameters are good once: a second run of the effect must not use them up again.
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    const sent = new URLSearchParams(location.search);
    history.replaceState(history.state, '', location.pathname);
    mutate(sent);
  }, [mutate]);
  return (
    <Entrance title={t('sso.signIn')}>
      {error ? (
        <div className="flex flex-col gap-3">
          <ProblemNote error={error} />
          <Link to="/login" search={{}} className="text-accent underline">
            {t('login.title')}
          </Link>
        </div>
      ) : (
        <Loading />
      )}
    </Entrance>
  );
}
