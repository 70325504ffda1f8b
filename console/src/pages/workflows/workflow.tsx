import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, dataOf, versionedDataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { Badge, Button, Loading, Note, PageTitle, Select, TextArea, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Canvas } from './canvas.tsx';
import { type Graph, type GraphNode, type Issue, newNode, withPositions } from './graph.ts';
import { type ImportFinding, useFindings } from './import-findings.ts';
import { useLiveRun } from './live-run.ts';
import { NODE_TYPES } from './node-types.ts';
import { RunDetails, statesOf, useRun } from './run.tsx';
import { RunForm, Runs } from './run-form.tsx';
import { Versions } from './versions.tsx';

const VALIDATE_AFTER_MS = 500;

const isConflict = (error: unknown) => error instanceof Problem && error.status === 409;

export function WorkflowPage() {
  const { id } = useParams({ from: '/shell/workflows/$id' });
  const { data, error, isPending } = useQuery({
    queryKey: ['workflows', id],
    staleTime: Number.POSITIVE_INFINITY,
    // When reopened, it begins with the stored version.
    gcTime: 0,
    queryFn: () => fetchWorkflow(id),
  });
  if (isPending) return <Loading />;
  if (error) return <ProblemNote error={error} />;
  return <Editor key={id} {...data} />;
}

type Fetched = Awaited<ReturnType<typeof fetchWorkflow>>;

async function fetchWorkflow(id: string) {
  const { data, etag } = await versionedDataOf(api.GET('/api/v1/workflows/{id}', { params: { path: { id } } }));
  return { workflow: data.data, etag };
}

function Editor({ workflow, etag }: Fetched) {
  const t = useT();
  const may = useMay();
  const queries = useQueryClient();
  const { id, name } = workflow;
  const path = { id };
  const canEdit = may('PATCH /api/v1/workflows/{id}');
  const [graph, setGraph] = useState(() => withPositions(workflow.graph as unknown as Graph));
  const [version, setVersion] = useState(etag);
  const [published, setPublished] = useState(workflow.published_version);
  const [isChanged, setChanged] = useState(false);
  const [selected, setSelected] = useState<string | null>(null);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const findings = useFindings(id);
  const live = useLiveRun(id);
  const run = useRun(live.runId, live.isStreaming);

  const change = (next: Graph) => {
    setGraph(next);
    setChanged(true);
  };
  useEffect(() => {
    if (!canEdit) return;
    const timer = setTimeout(async () => {
      const { data } = await api.POST('/api/v1/workflows/{id}/validate', { params: { path: { id } }, body: { graph } });
      if (data) setIssues(data.data.issues);
    }, VALIDATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [graph, id, canEdit]);

  const save = useAction(async (overTheirs: boolean) => {
    const header = { 'if-match': overTheirs ? '*' : version };
    const saved = await versionedDataOf(
      api.PATCH('/api/v1/workflows/{id}', { params: { path, header }, body: { graph } }),
    );
    setVersion(saved.etag);
    setChanged(false);
    await queries.invalidateQueries({ queryKey: ['workflows'], exact: true });
  });
  const publish = useAction(async () => {
    const { data } = await dataOf(api.POST('/api/v1/workflows/{id}/versions', { params: { path }, body: {} }));
    setPublished(data.number);
  }, ['versions']);
  const node = graph.nodes.find((each) => each.id === selected);
  return (
    <>
      <p className="mb-2">
        <Link to="/workflows" className="text-accent underline">
          {t('nav.workflows')}
        </Link>
      </p>
      <PageTitle
        actions={
          canEdit && (
            <>
              <Button look="main" disabled={!isChanged || save.isPending} onClick={() => save.mutate(false)}>
                {t('common.save')}
              </Button>
              <Button disabled={isChanged || publish.isPending} onClick={() => publish.mutate()}>
                {t('workflows.publish')}
              </Button>
            </>
          )
        }
      >
        <span className="[overflow-wrap:anywhere]">{name}</span>{' '}
        <Badge tone={published === null ? 'plain' : 'good'}>
          {published === null ? t('workflows.draft') : t('workflows.version', { number: published })}
        </Badge>
      </PageTitle>
      {isConflict(save.error) ? (
        <Note tone="warn" role="alert">
          <p>{t('workflows.conflict')}</p>
          <div className="mt-1 flex flex-wrap gap-2">
            <Button onClick={() => save.mutate(true)}>{t('workflows.keepMine')}</Button>
            <Button onClick={() => void queries.resetQueries({ queryKey: ['workflows', id] })}>
              {t('workflows.takeTheirs')}
            </Button>
          </div>
        </Note>
      ) : (
        <ProblemNote error={save.error ?? publish.error} />
      )}
      <div className="grid gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <Canvas
            graph={graph}
            issues={issues}
            findings={findings}
            states={statesOf(run.data, live.nodes, live.isStreaming)}
            canEdit={canEdit}
            onChange={change}
            onSelect={setSelected}
          />
          {issues.length > 0 && (
            <Note tone="warn" role="status">
              <ul className="list-disc ps-5">
                {issues.map(({ node_id, field, message }) => (
                  <li key={`${node_id} ${field} ${message}`} className="[overflow-wrap:anywhere]">
                    {node_id && (
                      <button type="button" className="underline" onClick={() => setSelected(node_id)}>
                        {node_id}
                      </button>
                    )}{' '}
                    {field} {message}
                  </li>
                ))}
              </ul>
            </Note>
          )}
          {may('POST /api/v1/workflows/{id}/run') && <RunForm graph={graph} isChanged={isChanged} live={live} />}
          <ProblemNote error={run.error} />
          {run.data && <RunDetails key={run.data.id} run={run.data} live={live.nodes} />}
          <Runs id={id} shown={live.runId} onOpen={live.open} />
          <Versions id={id} draft={graph} onRestore={change} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <Select
            label={t('workflows.node')}
            value={selected ?? ''}
            onChange={({ target }) => setSelected(target.value || null)}
          >
            <option value="">—</option>
            {graph.nodes.map(({ id: nodeId, data }) => (
              <option key={nodeId} value={nodeId}>
                {data?.title ?? nodeId}
              </option>
            ))}
          </Select>
          {node && (
            <NodeEditor
              key={node.id}
              node={node}
              graph={graph}
              notes={notesOf(node.id, findings, issues)}
              canEdit={canEdit}
              onChange={(changed) =>
                change({ ...graph, nodes: graph.nodes.map((each) => (each.id === node.id ? changed : each)) })
              }
              onConnect={(target, sourceHandle) =>
                change({
                  ...graph,
                  edges: [...graph.edges, { source: node.id, target, ...(sourceHandle && { sourceHandle }) }],
                })
              }
            />
          )}
          <TextField
            label={t('workflows.maxRuns')}
            type="number"
            min={1}
            max={50}
            disabled={!canEdit}
            value={graph.settings?.max_runs ?? ''}
            onChange={({ target }) => {
              const { max_runs: _, ...settings } = graph.settings ?? {};
              const maxRuns = Number(target.value);
              change({ ...graph, settings: { ...settings, ...(maxRuns > 0 && { max_runs: maxRuns }) } });
            }}
          />
          {canEdit && (
            <Select
              label={t('workflows.add')}
              value=""
              onChange={({ target }) => {
                const added = newNode(target.value, NODE_TYPES.get(target.value) ?? {}, graph.nodes);
                change({ ...graph, nodes: [...graph.nodes, added] });
                setSelected(added.id);
              }}
            >
              <option value="">—</option>
              {[...NODE_TYPES.keys()].map((type) => (
                <option key={type}>{type}</option>
              ))}
            </Select>
          )}
        </div>
      </div>
    </>
  );
}

/** Notes of the import and of the validation about a node. */
function notesOf(id: string, findings: readonly ImportFinding[], issues: readonly Issue[]): readonly string[] {
  const imported = findings.filter(({ node_id }) => node_id === id).map(({ message }) => message);
  const wrong = issues.filter(({ node_id }) => node_id === id).map(({ field, message }) => `${field ?? ''} ${message}`);
  return [...new Set([...imported, ...wrong.map((note) => note.trim())])];
}

function NodeEditor({
  node,
  graph,
  notes,
  canEdit,
  onChange,
  onConnect,
}: {
  node: GraphNode;
  graph: Graph;
  notes: readonly string[];
  canEdit: boolean;
  onChange: (node: GraphNode) => void;
  onConnect: (target: string, sourceHandle: string) => void;
}) {
  const t = useT();
  const [text, setText] = useState(() => JSON.stringify(node.data?.config ?? {}, null, 2));
  const [fault, setFault] = useState('');
  const [target, setTarget] = useState('');
  const [handle, setHandle] = useState('');
  const edit = (next: string) => {
    setText(next);
    try {
      const config = JSON.parse(next) as Record<string, unknown>;
      setFault('');
      onChange({ ...node, data: { ...node.data, config } });
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <section className="card flex flex-col gap-3" aria-label={t('workflows.node')}>
      <p className="text-sm text-muted">
        {node.type} · {node.id}
      </p>
      {notes.length > 0 && (
        <Note tone="warn">
          <ul className="list-disc ps-5">
            {notes.map((note) => (
              <li key={note} className="[overflow-wrap:anywhere]">
                {note}
              </li>
            ))}
          </ul>
        </Note>
      )}
      <fieldset disabled={!canEdit} className="flex min-w-0 flex-col gap-3">
        <TextField
          label={t('workflows.title')}
          value={node.data?.title ?? ''}
          onChange={({ target: { value: title } }) => onChange({ ...node, data: { ...node.data, title } })}
        />
        <TextArea
          label={t('workflows.config')}
          error={fault || undefined}
          rows={14}
          spellCheck={false}
          value={text}
          style={{ fontFamily: 'var(--font-mono)' }}
          onChange={({ target: { value } }) => edit(value)}
        />
      </fieldset>
      {canEdit && (
        <div className="flex flex-wrap items-end gap-2">
          <Select label={t('workflows.connect')} value={target} onChange={({ target: { value } }) => setTarget(value)}>
            <option value="">—</option>
            {graph.nodes
              .filter(({ id }) => id !== node.id)
              .map(({ id, data }) => (
                <option key={id} value={id}>
                  {data?.title ?? id}
                </option>
              ))}
          </Select>
          <TextField
            label={t('workflows.handle')}
            value={handle}
            onChange={({ target: { value } }) => setHandle(value)}
          />
          <Button disabled={target === ''} onClick={() => onConnect(target, handle.trim())}>
            {t('workflows.connectNow')}
          </Button>
        </div>
      )}
    </section>
  );
}
