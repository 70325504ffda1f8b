import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Workflow as WorkflowIcon } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Badge, buttonClass, Loading, Note, PageTitle } from '../../ui/controls.tsx';
import { isNamed, NameFilter } from '../../ui/name-filter.tsx';
import { NameForm } from '../../ui/name-form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { type Graph, sent } from './graph.ts';
import { keepFindings } from './import-findings.ts';
import { waitingRunsQuery } from './waiting-runs.ts';

const FIRST: Graph = {
  nodes: [
    {
      id: 'start',
      type: 'start',
      position: { x: 0, y: 0 },
      data: { title: 'Start', config: { fields: [{ name: 'name', type: 'text' }] } },
    },
    {
      id: 'end',
      type: 'answer',
      position: { x: 280, y: 0 },
      data: { title: 'Answer', config: { text: 'Hello {{start.name}}' } },
    },
  ],
  edges: [{ source: 'start', target: 'end' }],
};

export function Workflows() {
  const t = useT();
  const may = useMay();
  const [filter, setFilter] = useState('');
  const { data, error, isPending } = useQuery({
    queryKey: ['workflows'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/workflows', { params: { query: { limit: 100 } } }))).data.workflows,
  });
  const { data: waiting } = useQuery(waitingRunsQuery);
  const shown = data?.filter(({ name, description }) => isNamed(filter, name, description));
  return (
    <>
      <PageTitle>{t('nav.workflows')}</PageTitle>
      {may('POST /api/v1/workflows') && (
        <div className="grid gap-3 md:grid-cols-2">
          <NewWorkflow />
          <Import />
        </div>
      )}
      {waiting && waiting.length > 0 && (
        <p className="mt-4">
          <Link to="/workflows/waiting" className="text-accent underline">
            {t('waiting.count', { count: waiting.length })}
          </Link>
        </p>
      )}
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data?.length === 0 && <p className="mt-4 text-muted">{t('workflows.none')}</p>}
      <NameFilter count={data?.length ?? 0} value={filter} onChange={setFilter} />
      <ul className="mt-4 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {shown?.map(({ id, name, description, published_version, updated_at }) => (
          <li key={id} className="card flex flex-col gap-1">
            <Link
              to="/workflows/$id"
              params={{ id }}
              className="flex items-center gap-2 font-semibold text-accent underline [overflow-wrap:anywhere]"
            >
              <WorkflowIcon aria-hidden size={18} className="shrink-0" />
              {name}
            </Link>
            <p className="text-sm [overflow-wrap:anywhere]">{description}</p>
            <p className="text-sm text-muted">
              <Badge tone={published_version === null ? 'plain' : 'good'}>
                {published_version === null
                  ? t('workflows.draft')
                  : t('workflows.version', { number: published_version })}
              </Badge>{' '}
              {time(updated_at)}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function NewWorkflow() {
  const t = useT();
  const navigate = useNavigate();
  const create = useAction(
    async (name: string) => {
      const { data } = await dataOf(api.POST('/api/v1/workflows', { body: { name, graph: sent(FIRST) } }));
      await navigate({ to: '/workflows/$id', params: { id: data.id } });
    },
    ['workflows'],
  );
  return <NameForm label={t('workflows.new')} create={create} />;
}

function Import() {
  const t = useT();
  const queries = useQueryClient();
  const run = useAction(
    async (file: File) => {
      const { data } = await dataOf(api.POST('/api/v1/workflows/import', { body: { dsl: await file.text() } }));
      keepFindings(queries, data.workflow.id, [...data.unsupported, ...data.to_connect, ...data.emptied]);
      return data;
    },
    ['workflows'],
  );
  const left = run.data ? [...run.data.unsupported, ...run.data.to_connect, ...run.data.emptied] : [];
  return (
    <section className="card flex flex-col gap-3">
      <h2 className="font-semibold">{t('workflows.import')}</h2>
      <p className="text-sm text-muted">{t('workflows.importText')}</p>
      <label className={`${buttonClass()} cursor-pointer self-start focus-within:outline-2`}>
        {t('read.choose')}
        <input
          type="file"
          accept=".yml,.yaml"
          className="sr-only"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) run.mutate(file);
            target.value = '';
          }}
        />
      </label>
      <ProblemNote error={run.error} />
      {run.data && (
        <Note tone={left.length > 0 ? 'warn' : 'good'} role="status">
          <Link to="/workflows/$id" params={{ id: run.data.workflow.id }} className="underline">
            {run.data.workflow.name}
          </Link>
          <ul className="list-disc ps-5">
            {left.map(({ node_id, title, message }) => (
              <li key={`${node_id} ${message}`} className="[overflow-wrap:anywhere]">
                {title}: {message}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </section>
  );
}
