import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Button } from '../../ui/controls.tsx';
import { FailureText } from '../../ui/failure-text.tsx';
import { RunComparison } from './run-comparison.tsx';

export function Runs({
  id,
  shown,
  onOpen,
}: {
  id: string;
  /** The run that the page shows, which others can be compared with. */
  shown: string | null;
  onOpen: (runId: string) => void;
}) {
  const t = useT();
  const [compared, setCompared] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: ['runs', id],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/workflows/{id}/runs', { params: { path: { id }, query: { limit: 20 } } }))).data
        .runs,
  });
  if (!data || data.length === 0) return null;
  return (
    <section className="card">
      <h2 className="font-semibold">{t('workflows.runs')}</h2>
      <ul className="flex flex-col text-sm">
        {data.map(({ id: runId, status, created_at, failure }) => (
          <li key={runId}>
            <button
              type="button"
              className="w-full rounded-lg px-2 py-1 text-start hover:bg-raised"
              onClick={() => onOpen(runId)}
            >
              {time(created_at)} · {t(`workflows.status.${status}`)}{' '}
              {failure && <FailureText failure={failure} isBrief />}
            </button>
            {shown !== null && shown !== runId && (
              <Button aria-expanded={compared === runId} onClick={() => setCompared(compared === runId ? null : runId)}>
                {t('workflows.compareRun')}
              </Button>
            )}
            {shown !== null && shown !== runId && compared === runId && <RunComparison id={shown} other={runId} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
