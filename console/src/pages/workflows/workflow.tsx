import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, versionedDataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { PageProblem } from '../../app/page-problem.tsx';
import { useMay, useSession } from '../../app/session.ts';
import { time, useLanguage, useT } from '../../texts/i18n.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Badge, Button, Loading, Note, PageTitle } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Editor } from './editor/editor.tsx';
import { LeaveGuard } from './editor/leave-guard.tsx';
import { useTexts } from './editor/texts.ts';
import { forgetUnsaved, unsavedOf, useKeptUnsaved } from './editor/unsaved.ts';
import { useHistory } from './editor/use-history.ts';
import { type Graph, type Issue, sent, withPositions } from './graph.ts';
import { useFindings } from './import-findings.ts';
import { useLiveRun } from './live-run.ts';
import { RunDetails, statesOf, useRun } from './run.tsx';
import { RunForm } from './run-form.tsx';
import { Runs } from './runs.tsx';
import { Versions } from './versions.tsx';
import { WorkflowActions } from './workflow-actions.tsx';

const VALIDATE_AFTER_MS = 500;

const isConflict = (error: unknown) => error instanceof Problem && error.status === 409;

export function WorkflowPage() {
  const { id } = useParams({ from: '/shell/workflows/$id' });
  const { data, error, isPending } = useQuery({
    queryKey: ['workflows', id],
    staleTime: Number.POSITIVE_INFINITY,
    // When reopened, it starts with the stored version.
    gcTime: 0,
    queryFn: () => fetchWorkflow(id),
  });
  if (isPending) return <Loading />;
  if (error) return <PageProblem error={error} />;
  return <OpenWorkflow key={`${id} ${data.etag}`} {...data} />;
}

type Fetched = Awaited<ReturnType<typeof fetchWorkflow>>;

async function fetchWorkflow(id: string) {
  const { data, etag } = await versionedDataOf(api.GET('/api/v1/workflows/{id}', { params: { path: { id } } }));
  return { workflow: data.data, etag };
}

function OpenWorkflow({ workflow, etag }: Fetched) {
  const t = useT();
  const may = useMay();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { id } = workflow;
  const path = { id };
  const { workspace, email } = useSession();
  const owner = `${workspace.id} ${email}`;
  const { run: shownRun } = useSearch({ from: '/shell/workflows/$id' });
  const canEdit = may('PATCH /api/v1/workflows/{id}');
  const graph = useHistory(() => withPositions(workflow.graph as unknown as Graph));
  const [name, setName] = useState(workflow.name);
  const [stored, setStored] = useState({ graph: graph.value, etag });
  const [published, setPublished] = useState(workflow.published_version);
  const [left, setLeft] = useState(() => (canEdit ? unsavedOf(owner, id) : null));
  const isChanged = graph.value !== stored.graph;
  const issues = useIssues(id, graph.value, canEdit);
  const findings = useFindings(id);
  const live = useLiveRun(id, shownRun ?? null, (run) =>
    navigate({ to: '/workflows/$id', params: { id }, search: { run }, replace: true, resetScroll: false }),
  );
  const run = useRun(live.runId, live.isStreaming);
  useKeptUnsaved(owner, id, isChanged ? { graph: graph.value, etag: stored.etag } : null);

  const save = useAction(async (overTheirs: boolean) => {
    const saved = graph.value;
    const header = { 'if-match': overTheirs ? '*' : stored.etag };
    const call = api.PATCH('/api/v1/workflows/{id}', { params: { path, header }, body: { graph: sent(saved) } });
    setStored({ graph: saved, etag: (await versionedDataOf(call)).etag });
    await queries.invalidateQueries({ queryKey: ['workflows'], exact: true });
  });
  const publish = useAction(async () => {
    const header = { 'if-match': stored.etag };
    const call = api.POST('/api/v1/workflows/{id}/versions', { params: { path, header }, body: {} });
    const { data, etag: current } = await versionedDataOf(call);
    setPublished(data.data.number);
    setStored({ ...stored, etag: current });
  }, ['versions']);
  return (
    <>
      <BackLink to="/workflows">{t('nav.workflows')}</BackLink>
      <PageTitle
        actions={
          <>
            {canEdit && (
              <>
                <Button look="main" disabled={!isChanged || save.isPending} onClick={() => save.mutate(false)}>
                  {t('common.save')}
                </Button>
                <Button disabled={isChanged || publish.isPending} onClick={() => publish.mutate()}>
                  {t('workflows.publish')}
                </Button>
              </>
            )}
            <WorkflowActions
              id={id}
              name={name}
              graph={graph.value}
              isPublished={published !== null}
              onRenamed={(renamed, newEtag) => {
                setName(renamed);
                setStored({ ...stored, etag: newEtag });
              }}
              onRemoved={() => forgetUnsaved(owner, id)}
            />
          </>
        }
      >
        <span data-name className="[overflow-wrap:anywhere]">
          {name}
        </span>{' '}
        <Badge tone={published === null ? 'plain' : 'good'}>
          {published === null ? t('workflows.draft') : t('workflows.version', { number: published })}
        </Badge>
      </PageTitle>
      <LeaveGuard isChanged={isChanged} />
      {left && !isChanged && (
        <UnsavedNote
          at={left.at}
          onContinue={() => {
            graph.set(left.graph);
            setStored({ ...stored, etag: left.etag });
            setLeft(null);
          }}
          onDiscard={() => {
            forgetUnsaved(owner, id);
            setLeft(null);
          }}
        />
      )}
      {isConflict(save.error ?? publish.error) ? (
        <Note tone="warn" role="alert">
          <p>{t('workflows.conflict')}</p>
          <div className="mt-1 flex flex-wrap gap-2">
            <Button onClick={() => save.mutate(true)}>{t('workflows.keepMine')}</Button>
            <Button
              onClick={() => {
                forgetUnsaved(owner, id);
                void queries.resetQueries({ queryKey: ['workflows', id] });
              }}
            >
              {t('workflows.takeTheirs')}
            </Button>
          </div>
        </Note>
      ) : (
        <ProblemNote error={save.error ?? publish.error} />
      )}
      <div className="flex flex-col gap-3">
        <Editor
          history={graph}
          issues={issues}
          findings={findings}
          states={statesOf(run.data, live.nodes, live.isStreaming)}
          canEdit={canEdit}
        />
        <div className="grid items-start gap-3 xl:grid-cols-2">
          {may('POST /api/v1/workflows/{id}/run') && <RunForm graph={graph.value} isChanged={isChanged} live={live} />}
          <ProblemNote error={run.error} />
          {run.data && <RunDetails key={run.data.id} run={run.data} live={live.nodes} />}
          <Runs id={id} shown={live.runId} onOpen={live.open} />
          <Versions id={id} draft={graph.value} onRestore={(restored) => graph.set(restored)} />
        </div>
      </div>
    </>
  );
}

function UnsavedNote({ at, onContinue, onDiscard }: { at: string; onContinue: () => void; onDiscard: () => void }) {
  const { ui } = useTexts();
  return (
    <Note tone="warn" role="status">
      <p>{ui.unsavedFound.replace('{time}', time(at))}</p>
      <div className="mt-1 flex flex-wrap gap-2">
        <Button onClick={onContinue}>{ui.restoreUnsaved}</Button>
        <Button onClick={onDiscard}>{ui.dropUnsaved}</Button>
      </div>
    </Note>
  );
}

/** Faults of the graph, by the service's validation soon after each change. */
function useIssues(id: string, graph: Graph, canEdit: boolean): readonly Issue[] {
  // The service writes them in it.
  const language = useLanguage();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the call sends the language of the page.
  useEffect(() => {
    if (!canEdit) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const { data } = await api.POST('/api/v1/workflows/{id}/validate', {
        params: { path: { id } },
        body: { graph: sent(graph) },
      });
      if (data && !isOver) setIssues(data.data.issues);
    }, VALIDATE_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [graph, id, canEdit, language]);
  return issues;
}
