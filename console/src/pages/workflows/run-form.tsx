import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { Graph } from './graph.ts';
import type { LiveRun } from './live-run.ts';
import { RunComparison } from './run-comparison.tsx';

type Field = { readonly name: string; readonly type?: string; readonly label?: string };

export function RunForm({ graph, isChanged, live }: { graph: Graph; isChanged: boolean; live: LiveRun }) {
  const t = useT();
  const [inputs, setInputs] = useState<Readonly<Record<string, string>>>({});
  const start = graph.nodes.find(({ type }) => type === 'start');
  const declared = start?.data?.config?.fields;
  const fields = Array.isArray(declared) ? (declared as readonly Field[]) : [];
  const given = () =>
    Object.fromEntries(
      fields.flatMap(({ name, type }) => {
        const text = inputs[name];
        if (text === undefined || text === '') return [];
        return [[name, type === 'number' ? Number(text) : text] as const];
      }),
    );
  return (
    <form
      className="card flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void live.start(given());
      }}
    >
      <h2 className="font-semibold">{t('workflows.run')}</h2>
      {fields.map(({ name, label }) => (
        <TextField
          key={name}
          label={label ?? name}
          value={inputs[name] ?? ''}
          onChange={({ target }) => setInputs({ ...inputs, [name]: target.value })}
        />
      ))}
      {isChanged && <p className="text-sm text-muted">{t('workflows.saveFirst')}</p>}
      <ProblemNote error={live.error} />
      <Button type="submit" look="main" className="self-start" disabled={live.isStarting || isChanged}>
        {t('workflows.run')}
      </Button>
    </form>
  );
}

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
              {time(created_at)} · {t(`workflows.status.${status}`)} {failure?.message}
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
