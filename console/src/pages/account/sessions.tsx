import { useQuery } from '@tanstack/react-query';
import { Monitor, SquareTerminal } from 'lucide-react';
import { api, dataOf } from '../../api/client.ts';
import { time, useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Badge, Button, Loading } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { useAction } from '../../ui/use-action.ts';
import { browserName } from './browser-name.ts';

const QUERY = ['sessions'] as const;

/** Where the person is logged in, each to be ended at once. The present one is ended by logging out. */
export function Sessions() {
  const t = useT();
  const { data, error } = useQuery({
    queryKey: QUERY,
    queryFn: async () => (await dataOf(api.GET('/api/v1/auth/sessions'))).data,
  });
  const end = useAction(async (ids: readonly string[]) => {
    for (const id of ids) await dataOf(api.DELETE('/api/v1/auth/sessions/{id}', { params: { path: { id } } }));
  }, QUERY);
  const others = data?.filter(({ is_current }) => !is_current) ?? [];
  return (
    <SettingsSection title={t('security.sessions')} text={t('security.sessionsText')}>
      <ProblemNote error={error ?? end.error} />
      {!data && !error && <Loading />}
      <ul className="divide-y divide-line">
        {data?.map(({ id, is_current, is_browser, user_agent, address, created_at }) => {
          const Icon = is_browser ? Monitor : SquareTerminal;
          const name = user_agent === null ? t('security.unknownBrowser') : browserName(user_agent);
          return (
            <li key={id} className="flex flex-wrap items-center gap-3 py-3 first:pt-0 last:pb-0">
              <Icon aria-hidden className="size-5 shrink-0 text-muted" />
              <div className="min-w-0 flex-1 basis-48">
                <p className="font-medium [overflow-wrap:anywhere]" title={user_agent ?? undefined}>
                  {name} {is_current && <Badge tone="good">{t('security.thisSession')}</Badge>}
                </p>
                <p className="text-sm text-muted [overflow-wrap:anywhere]">
                  {t('security.sessionSince', { time: time(created_at) })}
                  {address !== null && ` · ${address}`}
                </p>
              </div>
              {!is_current && (
                <Button
                  aria-label={t('security.endSessionOf', { name })}
                  disabled={end.isPending}
                  onClick={() => end.mutate([id])}
                >
                  {t('security.endSession')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {others.length > 1 && (
        <div>
          <ConfirmedButton
            label={t('security.endOthers')}
            question={t('security.endOthersQuestion', { count: others.length })}
            disabled={end.isPending}
            onConfirm={() => end.mutate(others.map(({ id }) => id))}
          />
        </div>
      )}
    </SettingsSection>
  );
}
