import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf, versionedDataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Button, Dialog, TextField } from '../../ui/controls.tsx';
import { download } from '../../ui/download.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { type Graph, sent } from './graph.ts';

/** Actions on a workflow as a whole. */
export function WorkflowActions({
  id,
  name,
  graph,
  isPublished,
  onRenamed,
  onRemoved,
}: {
  id: string;
  name: string;
  graph: Graph;
  isPublished: boolean;
  onRenamed: (name: string, etag: string) => void;
  onRemoved: () => void;
}) {
  const t = useT();
  const may = useMay();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const path = { id };
  // The open one stays as it is: it may hold changes.
  const refreshList = () => queries.invalidateQueries({ queryKey: ['workflows'], exact: true });
  const rename = useAction(async (renamed: string) => {
    const call = api.PATCH('/api/v1/workflows/{id}', { params: { path }, body: { name: renamed } });
    onRenamed(renamed, (await versionedDataOf(call)).etag);
    setOpen(false);
    await refreshList();
  });
  const duplicate = useAction(async () => {
    const copy = { name: t('common.copyOf', { name }).slice(0, 100), graph: sent(graph) };
    const { data } = await dataOf(api.POST('/api/v1/workflows', { body: copy }));
    setOpen(false);
    await refreshList();
    await navigate({ to: '/workflows/$id', params: { id: data.id } });
  });
  const use = useAction(async () => {
    const body = { name, type: 'workflow' as const, config: { workflow_id: id } };
    const { data } = await dataOf(api.POST('/api/v1/applications', { body }));
    await navigate({ to: '/applications/$id', params: { id: data.id } });
  }, ['applications']);
  const remove = useAction(async () => {
    await dataOf(api.DELETE('/api/v1/workflows/{id}', { params: { path } }));
    onRemoved();
    await navigate({ to: '/workflows', ignoreBlocker: true });
    await refreshList();
  });
  return (
    <>
      {may('POST /api/v1/applications') && (
        <Button disabled={!isPublished || use.isPending} onClick={() => use.mutate()}>
          {t('workflows.use')}
        </Button>
      )}
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('workflows.more')}
      </Button>
      <ProblemNote error={use.error} />
      {isOpen && (
        <Dialog title={name} onClose={() => setOpen(false)}>
          <div className="flex flex-col gap-4">
            {may('PATCH /api/v1/workflows/{id}') && <Rename name={name} onRename={rename.mutate} />}
            <div className="flex flex-wrap gap-2">
              {may('POST /api/v1/workflows') && (
                <Button disabled={duplicate.isPending} onClick={() => duplicate.mutate()}>
                  {t('common.duplicate')}
                </Button>
              )}
              <Button
                onClick={() =>
                  download(
                    new Blob([JSON.stringify({ name, graph }, null, 2)], { type: 'application/json' }),
                    `${name}.json`,
                  )
                }
              >
                {t('workflows.export')}
              </Button>
              {may('DELETE /api/v1/workflows/{id}') && (
                <ConfirmedButton
                  label={t('workflows.remove')}
                  question={t('workflows.removeQuestion', { name })}
                  disabled={remove.isPending}
                  onConfirm={() => remove.mutate()}
                />
              )}
            </div>
            <ProblemNote error={rename.error ?? duplicate.error ?? remove.error} />
          </div>
        </Dialog>
      )}
    </>
  );
}

function Rename({ name, onRename }: { name: string; onRename: (name: string) => void }) {
  const t = useT();
  const [text, setText] = useState(name);
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onRename(text);
      }}
    >
      <div className="min-w-0 flex-1 basis-48">
        <TextField
          label={t('workflows.name')}
          required
          maxLength={100}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <Button type="submit" disabled={text === name || text.trim() === ''}>
        {t('workflows.rename')}
      </Button>
    </form>
  );
}
