import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Hourglass, SquareArrowOutUpRight, Trash2, Upload, Workflow as WorkflowIcon } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { useMay } from '../../app/session.ts';
import { time, useT } from '../../texts/i18n.ts';
import type { MenuAction } from '../../ui/actions-menu.tsx';
import { Badge, Button, buttonClass, Dialog, Loading, Note, PageTitle } from '../../ui/controls.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityCard, EntityCards } from '../../ui/entity-card.tsx';
import { isNamed, NameFilter } from '../../ui/name-filter.tsx';
import { NewByName } from '../../ui/new-by-name.tsx';
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
  const [isImporting, setImporting] = useState(false);
  const { data, error, isPending } = useQuery({
    queryKey: ['workflows'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/workflows', { params: { query: { limit: 100 } } }))).data.workflows,
  });
  const { data: waiting } = useQuery(waitingRunsQuery);
  const { actionsOf, error: failed } = useActions();
  const shown = data?.filter(({ name, description }) => isNamed(filter, name, description));
  const ways = may('POST /api/v1/workflows') && (
    <>
      <Button aria-haspopup="dialog" onClick={() => setImporting(true)}>
        <Upload aria-hidden className="size-4" />
        {t('workflows.import')}
      </Button>
      <NewWorkflow />
    </>
  );
  return (
    <>
      <PageTitle about={t('workflows.about')} actions={data && data.length > 0 && ways}>
        {t('nav.workflows')}
      </PageTitle>
      {waiting && waiting.length > 0 && (
        <Link to="/workflows/waiting" className="mb-4 block">
          <Note tone="warn">
            <span className="flex items-center gap-2 underline">
              <Hourglass aria-hidden className="size-4" />
              {t('waiting.count', { count: waiting.length })}
            </span>
          </Note>
        </Link>
      )}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
      <ProblemNote error={error ?? failed} />
      {isPending && <Loading />}
      {data?.length === 0 && (
        <EmptyState icon={WorkflowIcon} text={t('workflows.none')}>
          {ways}
        </EmptyState>
      )}
      <NameFilter count={data?.length ?? 0} value={filter} onChange={setFilter} />
      <EntityCards>
        {shown?.map(({ id, name, description, published_version, updated_at }) => (
          <EntityCard
            key={id}
            icon={WorkflowIcon}
            name={name}
            description={description}
            link={{ to: '/workflows/$id', params: { id } }}
            actions={actionsOf({ id, name })}
          >
            <Badge tone={published_version === null ? 'plain' : 'good'}>
              {published_version === null
                ? t('workflows.draft')
                : t('workflows.version', { number: published_version })}
            </Badge>
            <span className="ms-auto">{time(updated_at)}</span>
          </EntityCard>
        ))}
      </EntityCards>
    </>
  );
}

/** Actions that the person's role allows on a workflow of the list. */
function useActions() {
  const t = useT();
  const may = useMay();
  const navigate = useNavigate();
  const duplicate = useAction(
    async ({ id, name }: { id: string; name: string }) => {
      const { graph } = (await dataOf(api.GET('/api/v1/workflows/{id}', { params: { path: { id } } }))).data;
      const copy = { name: t('common.copyOf', { name }).slice(0, 100), graph: sent(graph as unknown as Graph) };
      await dataOf(api.POST('/api/v1/workflows', { body: copy }));
    },
    ['workflows'],
  );
  const remove = useAction(
    (id: string) => dataOf(api.DELETE('/api/v1/workflows/{id}', { params: { path: { id } } })),
    ['workflows'],
  );
  const actionsOf = ({ id, name }: { id: string; name: string }): readonly MenuAction[] => [
    {
      label: t('common.open'),
      icon: SquareArrowOutUpRight,
      onSelect: () => void navigate({ to: '/workflows/$id', params: { id } }),
    },
    ...(may('POST /api/v1/workflows')
      ? [{ label: t('common.duplicate'), icon: Copy, onSelect: () => duplicate.mutate({ id, name }) }]
      : []),
    ...(may('DELETE /api/v1/workflows/{id}')
      ? [
          {
            label: t('common.remove'),
            icon: Trash2,
            question: t('workflows.removeQuestion', { name }),
            onSelect: () => remove.mutate(id),
          },
        ]
      : []),
  ];
  return { actionsOf, error: duplicate.error ?? remove.error };
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
  return <NewByName label={t('workflows.new')} create={create} />;
}

/** Part of the page, not of the buttons that open it: those move once the list has an entry. */
function ImportDialog({ onClose }: { readonly onClose: () => void }) {
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
  return (
    <Dialog title={t('workflows.import')} onClose={onClose}>
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">{t('workflows.importText')}</p>
        <label className={`${buttonClass('main')} cursor-pointer self-start focus-within:outline-2`}>
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
        {run.data && <Imported {...run.data} />}
      </div>
    </Dialog>
  );
}

function Imported({
  workflow,
  unsupported,
  to_connect,
  emptied,
}: Schemas['WorkflowsImportWorkflowResponse201']['data']) {
  const left = [...unsupported, ...to_connect, ...emptied];
  return (
    <Note tone={left.length > 0 ? 'warn' : 'good'} role="status">
      <Link to="/workflows/$id" params={{ id: workflow.id }} className="underline">
        {workflow.name}
      </Link>
      <ul className="list-disc ps-5">
        {left.map(({ node_id, title, message }) => (
          <li key={`${node_id} ${message}`} className="[overflow-wrap:anywhere]">
            {title}: {message}
          </li>
        ))}
      </ul>
    </Note>
  );
}
