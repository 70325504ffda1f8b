import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Badge, Button, Loading } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { differences } from './differences.ts';
import { type Graph, withPositions } from './graph.ts';

const TONES = { added: 'good', removed: 'bad', changed: 'warn' } as const;

/** Published versions, each compared with the draft. */
export function Versions({ id, draft, onRestore }: { id: string; draft: Graph; onRestore: (graph: Graph) => void }) {
  const t = useT();
  const [open, setOpen] = useState<number | null>(null);
  const { data } = useQuery({
    queryKey: ['versions', id],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/workflows/{id}/versions', { params: { path: { id }, query: { limit: 20 } } })))
        .data.versions,
  });
  if (!data || data.length === 0) return null;
  return (
    <section className="card" aria-label={t('workflows.versions')}>
      <h2 className="font-semibold">{t('workflows.versions')}</h2>
      <ul className="flex flex-col gap-2 text-sm">
        {data.map(({ number, published_at }) => (
          <li key={number}>
            {t('workflows.version', { number })} · {time(published_at)}{' '}
            <Button aria-expanded={open === number} onClick={() => setOpen(open === number ? null : number)}>
              {t('workflows.compare')}
            </Button>
            {open === number && <Comparison id={id} number={number} draft={draft} onRestore={onRestore} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Comparison({
  id,
  number,
  draft,
  onRestore,
}: {
  id: string;
  number: number;
  draft: Graph;
  onRestore: (graph: Graph) => void;
}) {
  const t = useT();
  const may = useMay();
  const { data, error } = useQuery({
    queryKey: ['versions', id, number],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const path = { id, number };
      const call = api.GET('/api/v1/workflows/{id}/versions/{number}', { params: { path } });
      return (await dataOf(call)).data.graph as unknown as Graph;
    },
  });
  if (error) return <ProblemNote error={error} />;
  if (!data) return <Loading />;
  const found = differences(data, draft);
  if (found.length === 0) return <p className="text-muted">{t('workflows.same')}</p>;
  return (
    <div className="mt-1 flex flex-col gap-2">
      <ul className="flex flex-col gap-1">
        {found.map(({ kind, what, name, before, after }) => (
          <li key={`${kind} ${what} ${name}`} className="[overflow-wrap:anywhere]">
            <Badge tone={TONES[kind]}>{t(`workflows.${kind}`)}</Badge>{' '}
            {what === 'edge' ? t('workflows.edge') : t('workflows.node')} {name}
            {kind === 'changed' && (
              <span className="grid gap-1 sm:grid-cols-2">
                {[before, after].map((text, index) => (
                  <code
                    // biome-ignore lint/suspicious/noArrayIndexKey: always these two.
                    key={index}
                    className={`block max-h-40 overflow-y-auto whitespace-pre-wrap rounded p-1 text-xs ${index === 0 ? 'bg-bad-back' : 'bg-good-back'}`}
                  >
                    {text}
                  </code>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
      {may('PATCH /api/v1/workflows/{id}') && (
        <Button className="self-start" onClick={() => onRestore(withPositions(data))}>
          {t('workflows.restore')}
        </Button>
      )}
    </div>
  );
}
