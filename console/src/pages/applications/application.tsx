import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Badge, Loading, PageTitle } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Conversations } from './conversations.tsx';
import { Playground } from './playground.tsx';
import { PublicTokens } from './public-tokens.tsx';
import { ApplicationSettings } from './settings.tsx';

export function ApplicationPage() {
  const t = useT();
  const may = useMay();
  const navigate = useNavigate();
  const { id } = useParams({ from: '/shell/applications/$id' });
  const { data, error, isPending } = useQuery({
    queryKey: ['applications', id],
    queryFn: async () => (await dataOf(api.GET('/api/v1/applications/{id}', { params: { path: { id } } }))).data,
  });
  const remove = useAction(async () => {
    await dataOf(api.DELETE('/api/v1/applications/{id}', { params: { path: { id } } }));
    await navigate({ to: '/applications' });
  }, ['applications']);
  return (
    <>
      <BackLink to="/applications">{t('nav.applications')}</BackLink>
      <PageTitle
        actions={
          may('DELETE /api/v1/applications/{id}') &&
          data && (
            <ConfirmedButton
              label={t('common.remove')}
              question={t('common.removeQuestion', { name: data.name })}
              onConfirm={() => remove.mutate()}
            />
          )
        }
      >
        <span data-name className="[overflow-wrap:anywhere]">
          {data?.name ?? '…'}
        </span>{' '}
        {data && <Badge>{t(`applications.type.${data.type}`)}</Badge>}
      </PageTitle>
      <ProblemNote error={error ?? remove.error} />
      {isPending && <Loading />}
      {data && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <ApplicationSettings
              key={data.updated_at}
              application={data}
              mayChange={may('PATCH /api/v1/applications/{id}')}
            />
            <PublicTokens id={id} mayChange={may('POST /api/v1/applications/{id}/access-tokens')} />
            {may('GET /api/v1/applications/{id}/conversations') && <Conversations id={id} />}
          </div>
          {may('POST /api/v1/chat/{application_id}/chat/completions') && (
            <div className="min-w-0 max-lg:order-first lg:sticky lg:top-6">
              <Playground id={id} />
            </div>
          )}
        </div>
      )}
    </>
  );
}
