import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../api/client.ts';
import type { paths } from '../api/openapi.d.ts';
import { day, time, useT } from '../texts/i18n.ts';
import { Badge, Loading } from '../ui/controls.tsx';
import { StackedBars } from '../ui/stacked-bars.tsx';

type Page = paths['/api/v1/extractions']['get']['responses'][200]['content']['application/json']['extractions'][number];

const MAX_PAGES = 100;
const SHOWN_PAGES = 5;

const lastPagesQuery = {
  queryKey: ['extractions', 'last'],
  queryFn: async () =>
    (await dataOf(api.GET('/api/v1/extractions', { params: { query: { limit: MAX_PAGES } } }))).extractions,
};

/** Lights of the lines that were read, day by day. */
export function LightsOverTime() {
  const t = useT();
  const { data } = useQuery(lastPagesQuery);
  const days = data && byDay(data);
  return (
    <section className="card min-h-64">
      <h2 className="font-semibold">{t('home.lights', { count: data?.length ?? 0 })}</h2>
      {data === undefined && <Loading />}
      {days?.length === 0 && <p className="mt-2 text-muted">{t('home.noLights')}</p>}
      {days && days.length > 0 && (
        <>
          <StackedBars
            label={t('home.lightsPlot')}
            bars={days.map(({ date, ...lights }) => ({
              label: day(date),
              text: t('home.lightsOfDay', lights),
              parts: [
                { value: lights.green, className: 'fill-good' },
                { value: lights.yellow, className: 'fill-warn' },
                { value: lights.red, className: 'fill-bad' },
              ],
            }))}
          />
          <p className="flex justify-between text-xs text-muted">
            <span>{day(days[0]!.date)}</span>
            {days.length > 1 && <span>{day(days.at(-1)!.date)}</span>}
          </p>
          <p className="mt-2 flex flex-wrap gap-2 text-sm">
            <Badge tone="good">● {t('light.GREEN')}</Badge>
            <Badge tone="warn">▲ {t('light.YELLOW')}</Badge>
            <Badge tone="bad">■ {t('light.RED')}</Badge>
          </p>
        </>
      )}
    </section>
  );
}

interface LightsOfDay {
  readonly date: string;
  readonly green: number;
  readonly yellow: number;
  readonly red: number;
}

/** Sums of the lights, the oldest day first; days without a page are left out. */
function byDay(pages: readonly Pick<Page, 'createdAt' | 'byStatus'>[]): readonly LightsOfDay[] {
  const days = new Map<string, LightsOfDay>();
  for (const { createdAt, byStatus } of pages) {
    if (!byStatus) continue;
    const date = localDate(createdAt);
    const { green = 0, yellow = 0, red = 0 } = days.get(date) ?? {};
    days.set(date, {
      date,
      green: green + byStatus.green,
      yellow: yellow + byStatus.yellow,
      red: red + byStatus.red,
    });
  }
  return [...days.values()].sort((a, b) => a.date.localeCompare(b.date));
}

/** The day of a time where the person is, as YYYY-MM-DD. */
function localDate(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export function LastPages() {
  const t = useT();
  const { data } = useQuery(lastPagesQuery);
  if (!data || data.length === 0) return null;
  return (
    <section className="card flex flex-col gap-2">
      <h2 className="font-semibold">{t('home.lastPages')}</h2>
      <ul className="flex flex-col gap-2 text-sm">
        {data.slice(0, SHOWN_PAGES).map(({ extractionId, fileName, reference, createdAt, byStatus, foundTable }) => (
          <li key={extractionId} className="flex flex-wrap items-center justify-between gap-x-3">
            <Link
              to="/review/$id"
              params={{ id: extractionId }}
              className="min-w-0 truncate text-accent underline"
              title={fileName ?? undefined}
            >
              {fileName ?? reference ?? t('extractions.unnamed')}
            </Link>
            <span className="flex flex-wrap items-center gap-1 text-muted">
              {time(createdAt)}
              {byStatus && foundTable && (
                <>
                  <Badge tone="good">● {byStatus.green}</Badge>
                  <Badge tone="warn">▲ {byStatus.yellow}</Badge>
                  <Badge tone="bad">■ {byStatus.red}</Badge>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Link to="/extractions" className="self-start text-sm text-accent underline">
        {t('home.allPages')}
      </Link>
    </section>
  );
}
