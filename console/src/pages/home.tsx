import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../api/client.ts';
import { useMay } from '../app/session.ts';
import { number, useT, won } from '../texts/i18n.ts';
import { BarChart } from '../ui/bar-chart.tsx';
import { buttonClass, Loading, Note, PageTitle } from '../ui/controls.tsx';
import { daysBetween } from '../ui/days.ts';
import { useFunds } from '../ui/funds.ts';
import { affordablePages } from '../ui/page-cost.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Attention, FirstSteps } from './home-attention.tsx';
import { LastPages, LightsOverTime } from './home-pages.tsx';

export function Home() {
  const t = useT();
  return (
    <>
      <PageTitle>{t('nav.home')}</PageTitle>
      <div className="grid gap-4 lg:grid-cols-3">
        <Attention />
        <div className="lg:col-span-2">
          <LightsOverTime />
        </div>
        <Balance />
        <div className="lg:col-span-2">
          <Usage />
        </div>
        <FirstSteps />
        <div className="lg:col-span-2">
          <LastPages />
        </div>
      </div>
    </>
  );
}

function Balance() {
  const t = useT();
  const may = useMay();
  const funds = useFunds();
  const { data, error } = useQuery({ queryKey: ['balance'], queryFn: () => dataOf(api.GET('/api/v1/balance')) });
  return (
    <section className="card flex min-h-48 flex-col gap-2">
      <h2 className="font-semibold">{t('home.balance')}</h2>
      <ProblemNote error={error} />
      {data && (
        <>
          <p className="text-3xl font-bold">{won(data.balanceKrw)}</p>
          {data.balanceKrw < (data.lowBalanceThresholdKrw ?? 0) && <Note tone="warn">{t('home.lowBalance')}</Note>}
          {funds && (
            <p className="text-sm text-muted">
              {t('home.pages', { count: affordablePages(funds) })}{' '}
              {funds.freePagesLeft > 0 && t('home.freePages', { count: funds.freePagesLeft })}
            </p>
          )}
          {may('POST /api/v1/balance/top-ups') && (
            <Link to="/account" className={`${buttonClass()} self-start`}>
              {t('home.topUp')}
            </Link>
          )}
        </>
      )}
    </section>
  );
}

function Usage() {
  const t = useT();
  const { data, error } = useQuery({
    queryKey: ['usage', 'day'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/usage', { params: { query: { group_by: 'day' } } }))).data,
  });
  const calls = new Map(data?.groups.map(({ group, calls }) => [group, calls]));
  return (
    <section className="card min-h-64">
      <h2 className="font-semibold">{t('home.usage')}</h2>
      <ProblemNote error={error} />
      {data === undefined && !error && <Loading />}
      {data && (
        <>
          <p className="text-sm text-muted">
            {t('home.usageTotal', {
              calls: number(data.total.calls),
              pages: number(data.total.pages),
              krw: won(data.total.krw),
            })}
          </p>
          <BarChart
            label={t('home.usagePlot')}
            bars={daysBetween(data.from, data.to).map((day) => ({
              label: day,
              value: calls.get(day) ?? 0,
              text: t('home.calls', { count: calls.get(day) ?? 0 }),
            }))}
          />
          <p className="flex justify-between text-xs text-muted">
            <span>{data.from}</span>
            <span>{data.to}</span>
          </p>
        </>
      )}
    </section>
  );
}
