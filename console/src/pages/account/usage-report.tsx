import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { paths } from '../../api/openapi.d.ts';
import { day, number, useT, won } from '../../texts/i18n.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { Button, Loading, Scroll, Select, TextField } from '../../ui/controls.tsx';
import { csv } from '../../ui/csv.ts';
import { daysBefore, daysBetween } from '../../ui/days.ts';
import { download } from '../../ui/download.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type UsageGroup, useGroupNames } from './group-names.ts';

type Report = paths['/api/v1/usage']['get']['responses'][200]['content']['application/json']['data'];

const GROUPS: readonly UsageGroup[] = ['day', 'service', 'key', 'application', 'access_token'];
const AMOUNTS = ['krw', 'calls', 'pages', 'tokens_in', 'tokens_out', 'sandbox_seconds'] as const;
const SPANS = [7, 30, 90] as const;

export function UsageReport() {
  const t = useT();
  const [group, setGroup] = useState<UsageGroup>('day');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { data, error, isPending } = useQuery({
    queryKey: ['usage', group, from, to],
    queryFn: async () =>
      (
        await dataOf(
          api.GET('/api/v1/usage', {
            params: { query: { group_by: group, ...(from && { from }), ...(to && { to }) } },
          }),
        )
      ).data,
  });
  const nameOf = useGroupNames(group);
  const save = () => {
    const rows = (data?.groups ?? []).map((each) => [
      each.group,
      nameOf(each.group),
      ...AMOUNTS.map((amount) => each[amount]),
    ]);
    download(csv([[group, 'name', ...AMOUNTS], ...rows]), `usage-${group}.csv`);
  };
  const choose = (days: number) => {
    const today = new Date().toISOString().slice(0, 10);
    setFrom(daysBefore(today, days - 1));
    setTo(today);
  };
  return (
    <section className="card flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{t('account.usage')}</h2>
        {data && <Button onClick={save}>CSV</Button>}
      </div>
      <div className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Select label={t('account.by')} value={group} onChange={({ target }) => setGroup(target.value as UsageGroup)}>
          {GROUPS.map((each) => (
            <option key={each} value={each}>
              {t(`account.group.${each}`)}
            </option>
          ))}
        </Select>
        <TextField
          label={t('account.from')}
          type="date"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField label={t('account.to')} type="date" value={to} onChange={({ target }) => setTo(target.value)} />
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">{t('account.span')}</legend>
          {SPANS.map((days) => (
            <Button key={days} data-shows={`${days} days`} onClick={() => choose(days)}>
              {t('account.lastDays', { count: days })}
            </Button>
          ))}
        </fieldset>
      </div>
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data && (
        <>
          <Totals total={data.total} />
          {group === 'day' && data.groups.length > 0 && <Days report={data} />}
          {data.groups.length === 0 && <p className="text-muted">{t('account.noUsage')}</p>}
          {data.groups.length > 0 && <Groups report={data} group={group} nameOf={nameOf} />}
        </>
      )}
    </section>
  );
}

const shown = (amounts: Report['total'], name: (typeof AMOUNTS)[number]) =>
  name === 'krw' ? won(amounts[name]) : number(amounts[name]);

function Totals({ total }: { total: Report['total'] }) {
  const t = useT();
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
      {AMOUNTS.map((name) => (
        <div key={name} className="rounded-lg bg-raised p-3">
          <dt className="text-xs text-muted">{t(`account.amounts.${name}`)}</dt>
          <dd className="text-lg font-semibold tabular-nums">{shown(total, name)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Money by day; calls where nothing was charged. */
function Days({ report: { from, to, groups, total } }: { report: Report }) {
  const t = useT();
  const amount = total.krw > 0 ? 'krw' : 'calls';
  const label = t(amount === 'krw' ? 'account.spentPlot' : 'home.usagePlot');
  const byDay = new Map(groups.map((each) => [each.group, each]));
  return (
    <div>
      <BarChart
        label={label}
        bars={daysBetween(from, to).map((each) => {
          const amounts = byDay.get(each);
          return {
            label: day(each),
            value: amounts?.[amount] ?? 0,
            text: amounts ? `${t(`account.amounts.${amount}`)} ${shown(amounts, amount)}` : '0',
          };
        })}
      />
      <p className="flex justify-between text-xs text-muted">
        <span>{day(from)}</span>
        <span>{label}</span>
        <span>{day(to)}</span>
      </p>
    </div>
  );
}

function Groups({
  report: { groups, total },
  group,
  nameOf,
}: {
  report: Report;
  group: UsageGroup;
  nameOf: (id: string | null) => string;
}) {
  const t = useT();
  return (
    <Scroll label={t('account.usage')}>
      <table className="table">
        <thead>
          <tr>
            <th>{t(`account.group.${group}`)}</th>
            {AMOUNTS.map((amount) => (
              <th key={amount} className="number">
                {t(`account.amounts.${amount}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((each) => (
            <tr key={each.group ?? ''}>
              <td title={each.group ?? undefined}>{nameOf(each.group)}</td>
              {AMOUNTS.map((amount) => (
                <td key={amount} className="number">
                  {shown(each, amount)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row">{t('account.total')}</th>
            {AMOUNTS.map((amount) => (
              <td key={amount} className="number">
                {shown(total, amount)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </Scroll>
  );
}
