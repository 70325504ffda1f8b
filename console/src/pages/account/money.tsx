import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { RestrictedCall } from '../../app/permissions.ts';
import { time, useT, won } from '../../texts/i18n.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';

export function Money({ may }: { may: (call: RestrictedCall) => boolean }) {
  const t = useT();
  const { data: balance, error } = useQuery({
    queryKey: ['balance'],
    queryFn: () => dataOf(api.GET('/api/v1/balance')),
  });
  return (
    <div className="flex flex-col gap-4">
      <section className="card flex flex-col gap-2">
        <h2 className="font-semibold">{t('home.balance')}</h2>
        <ProblemNote error={error} />
        <p className="text-3xl font-bold">{balance ? won(balance.balanceKrw) : '…'}</p>
      </section>
      <div className="grid gap-4 md:grid-cols-2">
        {may('POST /api/v1/balance/top-ups') && <TopUp />}
        {may('PATCH /api/v1/balance') && (
          <Threshold
            key={balance === undefined ? 'unknown' : 'known'}
            present={balance?.lowBalanceThresholdKrw ?? null}
          />
        )}
      </div>
      <Ledger />
    </div>
  );
}

function TopUp() {
  const t = useT();
  const [amount, setAmount] = useState('10000');
  const [reference, setReference] = useState('');
  const topUp = useAction(
    () => dataOf(api.POST('/api/v1/balance/top-ups', { body: { amountKrw: Number(amount), reference } })),
    ['balance', 'entries'],
  );
  return (
    <form
      className="card flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        topUp.mutate();
      }}
    >
      <h2 className="font-semibold">{t('home.topUp')}</h2>
      <TextField
        label={t('account.amount')}
        type="number"
        min={1}
        required
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
      />
      <TextField
        label={t('account.reference')}
        hint={t('account.referenceHint')}
        required
        maxLength={100}
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      <ProblemNote error={topUp.error} />
      {topUp.isSuccess && <p role="status">{t('account.toppedUp')}</p>}
      <Button type="submit" look="main" className="self-start" disabled={topUp.isPending}>
        {t('home.topUp')}
      </Button>
    </form>
  );
}

function Threshold({ present }: { present: number | null }) {
  const t = useT();
  const [text, setText] = useState(String(present ?? ''));
  const save = useAction(
    () =>
      dataOf(
        api.PATCH('/api/v1/balance', { body: { lowBalanceThresholdKrw: text.trim() === '' ? null : Number(text) } }),
      ),
    ['balance'],
  );
  return (
    <form
      className="card flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <h2 className="font-semibold">{t('account.threshold')}</h2>
      <TextField
        label={t('account.amount')}
        hint={t('account.thresholdHint')}
        type="number"
        min={0}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <ProblemNote error={save.error} />
      {save.isSuccess && <p role="status">{t('common.done')}</p>}
      <Button type="submit" className="self-start" disabled={save.isPending}>
        {t('common.save')}
      </Button>
    </form>
  );
}

function Ledger() {
  const t = useT();
  const query = useInfiniteQuery({
    queryKey: ['entries'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      dataOf(api.GET('/api/v1/balance/entries', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const { data, error } = query;
  return (
    <section className="card">
      <h2 className="font-semibold">{t('account.ledger')}</h2>
      <ProblemNote error={error} />
      <DataTable
        label={t('account.ledger')}
        rows={data?.pages.flatMap(({ entries }) => entries)}
        rowKey={({ id }) => id}
        columns={[
          { title: t('common.when'), kind: 'fixed', cell: ({ createdAt }) => time(createdAt) },
          { title: t('account.what'), cell: ({ type }) => t(`account.entry.${type}`) },
          { title: t('account.amount'), kind: 'number', cell: ({ amountKrw }) => won(amountKrw) },
          { title: t('home.balance'), kind: 'number', cell: ({ balanceAfterKrw }) => won(balanceAfterKrw) },
          { title: t('account.reference'), cell: ({ reference }) => reference },
        ]}
      />
      <MoreButton query={query} />
    </section>
  );
}
