import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { number, time, useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Badge, Button, Loading, Note, PageTitle } from '../../ui/controls.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Copyable } from '../../ui/shown-once.tsx';
import { useAction } from '../../ui/use-action.ts';
import { NewChannel } from './new-channel.tsx';
import { PLATFORMS, type PlatformName } from './platforms.ts';
import { TestMessage } from './test-message.tsx';

export function Channels() {
  const t = useT();
  const may = useMay();
  const { data, error, isPending } = useQuery({
    queryKey: ['channels'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/channels', { params: { query: { limit: 100 } } }))).data.channels,
  });
  const change = useAction(
    async ({ id, status }: { id: string; status: 'active' | 'disabled' }) =>
      dataOf(api.PATCH('/api/v1/channels/{id}', { params: { path: { id } }, body: { status } })),
    ['channels'],
  );
  const remove = useAction(
    async (id: string) => dataOf(api.DELETE('/api/v1/channels/{id}', { params: { path: { id } } })),
    ['channels'],
  );
  return (
    <div className="flex flex-col gap-4">
      <PageTitle>{t('nav.channels')}</PageTitle>
      {may('POST /api/v1/channels') && <NewChannel />}
      <ProblemNote error={error ?? change.error ?? remove.error} />
      {isPending && <Loading />}
      {data?.length === 0 && <p className="text-muted">{t('channels.none')}</p>}
      <ul className="grid gap-3 md:grid-cols-2">
        {data?.map(({ id, name, type, status, disabled_reason, problem, inbound, webhook_url, application_id }) => (
          <li key={id} className="card flex flex-col gap-2">
            <h2 className="font-semibold [overflow-wrap:anywhere]">
              {name} <Badge>{titleOf(t, type)}</Badge>{' '}
              <Badge tone={status === 'active' ? 'good' : 'warn'}>{t(`channels.status.${status}`)}</Badge>
            </h2>
            {disabled_reason && <p className="text-sm text-bad">{disabled_reason}</p>}
            {problem && (
              <Note tone="bad">
                {problem.code} {problem.detail} · {time(problem.since)}
              </Note>
            )}
            <p className="text-sm text-muted">
              {t('channels.received')}:{' '}
              {inbound.last_received_at ? time(inbound.last_received_at) : t('channels.never')}
            </p>
            {inbound.last_refused && (
              <Note tone="warn">
                {t('channels.refused')} {time(inbound.last_refused.at)}: {inbound.last_refused.detail}
              </Note>
            )}
            <p className="text-sm text-muted">{t('channels.webhook')}</p>
            <Copyable text={webhook_url} />
            <div className="flex flex-wrap gap-2">
              <Link to="/applications/$id" params={{ id: application_id }} className="text-accent underline">
                {t('channels.application')}
              </Link>
              <Link to="/guides/$" params={{ _splat: `channels/${type}.md` }} className="text-accent underline">
                {t('channels.steps')}
              </Link>
            </div>
            <div className="flex flex-wrap gap-2">
              {may('POST /api/v1/channels/{id}/test') && <TestMessage id={id} name={name} type={titleOf(t, type)} />}
              {may('PATCH /api/v1/channels/{id}') && (
                <Button onClick={() => change.mutate({ id, status: status === 'active' ? 'disabled' : 'active' })}>
                  {t(status === 'active' ? 'channels.disable' : 'channels.enable')}
                </Button>
              )}
              {may('DELETE /api/v1/channels/{id}') && (
                <ConfirmedButton
                  label={t('common.remove')}
                  question={t('common.removeQuestion', { name })}
                  onConfirm={() => remove.mutate(id)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      <Platforms />
      {may('GET /api/v1/dead-letters') && <DeadLetters />}
    </div>
  );
}

function titleOf(t: TFunction, type: PlatformName): string {
  return type === 'custom' ? t('channels.custom') : PLATFORMS[type].title;
}

function Platforms() {
  const t = useT();
  const { data } = useQuery({
    queryKey: ['platforms'],
    refetchInterval: 10_000,
    queryFn: async () => (await dataOf(api.GET('/api/v1/webhooks/status'))).data.platforms,
  });
  const used = data?.filter(({ channels }) => channels > 0) ?? [];
  if (used.length === 0) return null;
  return (
    <section className="card">
      <h2 className="font-semibold">{t('channels.queues')}</h2>
      <DataTable
        label={t('channels.queues')}
        rows={used}
        rowKey={({ type }) => type}
        columns={[
          { title: t('channels.platform'), cell: ({ type }) => titleOf(t, type) },
          { title: t('channels.inbound'), kind: 'number', cell: ({ queue_depth }) => number(queue_depth.inbound) },
          {
            title: t('channels.outbound'),
            kind: 'number',
            cell: ({ queue_depth: { high, normal, low } }) => number(high + normal + low),
          },
          {
            title: t('channels.breaker'),
            cell: ({ circuits }) =>
              circuits.map(({ address, state, last_error }) => (
                <p key={address ?? ''}>
                  <Badge tone={state === 'closed' ? 'good' : state === 'open' ? 'bad' : 'warn'}>
                    {t(`channels.circuit.${state}`)}
                  </Badge>{' '}
                  {address} {last_error?.code}
                </p>
              )),
          },
        ]}
      />
    </section>
  );
}

function DeadLetters() {
  const t = useT();
  const { data, error } = useQuery({
    queryKey: ['dead-letters', 'list'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/dead-letters', { params: { query: { limit: 100 } } }))).data.dead_letters,
  });
  const replay = useAction(
    async (id: string) => dataOf(api.POST('/api/v1/dead-letters/{id}/replay', { params: { path: { id } } })),
    ['dead-letters'],
  );
  const remove = useAction(
    async (id: string) => dataOf(api.DELETE('/api/v1/dead-letters/{id}', { params: { path: { id } } })),
    ['dead-letters'],
  );
  return (
    <section className="card">
      <h2 className="font-semibold">{t('channels.deadLetters')}</h2>
      <ProblemNote error={error ?? replay.error ?? remove.error} />
      {data?.length === 0 && <p className="text-muted">{t('channels.noDeadLetters')}</p>}
      <ul className="flex flex-col gap-2">
        {data?.map(({ id, type, direction, reason, detail, text, attempts, died_at }) => (
          <li key={id} className="rounded-lg bg-raised p-2 text-sm">
            <p>
              <Badge>{titleOf(t, type)}</Badge> {t(`channels.direction.${direction}`)} · {reason} ·{' '}
              {t('channels.attempts', { count: attempts })} · {time(died_at)}
            </p>
            {detail && <p className="text-muted [overflow-wrap:anywhere]">{detail}</p>}
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
            <div className="mt-1 flex gap-2">
              <Button onClick={() => replay.mutate(id)}>{t('channels.replay')}</Button>
              <ConfirmedButton
                label={t('common.remove')}
                question={t('common.removeQuestion', { name: reason })}
                onConfirm={() => remove.mutate(id)}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
