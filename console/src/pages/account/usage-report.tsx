import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { day, number, useT, won } from '../../texts/i18n.ts';
import { Button, PageTitle, Scroll, Select, TextField } from '../../ui/controls.tsx';
import { csv } from '../../ui/csv.ts';
import { download } from '../../ui/download.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

const GROUPS = ['day', 'service', 'key', 'application', 'access_token'] as const;
const AMOUNTS = ['calls', 'krw', 'pages', 'tokens_in', 'tokens_out', 'sandbox_seconds'] as const;

export function UsageReport() {
  const t = useT();
  const [group, setGroup] = useState<(typeof GROUPS)[number]>('day');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { data, error } = useQuery({
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
  const save = () => {
    const rows = (data?.groups ?? []).map((each) => [each.group, ...AMOUNTS.map((amount) => each[amount])]);
    download(csv([[group, ...AMOUNTS], ...rows]), `usage-${group}.csv`);
  };
  return (
    <section className="card">
      <PageTitle actions={data && <Button onClick={save}>CSV</Button>}>{t('account.usage')}</PageTitle>
      <div className="mb-3 grid gap-3 sm:grid-cols-3">
        <Select label={t('account.by')} value={group} onChange={({ target }) => setGroup(target.value as typeof group)}>
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
      </div>
      <ProblemNote error={error} />
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
            {data?.groups.map((each) => (
              <tr key={each.group ?? ''}>
                <td>{each.group === null ? '—' : group === 'day' ? day(each.group) : each.group}</td>
                {AMOUNTS.map((amount) => (
                  <td key={amount} className="number">
                    {amount === 'krw' ? won(each[amount]) : number(each[amount])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
