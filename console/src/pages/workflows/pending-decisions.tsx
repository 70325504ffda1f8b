import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { Button, Note } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { Run } from './graph.ts';

/** Approvals of a run, which are decided here, and links to its forms. */
export function PendingDecisions({ run: { id, pending_approvals, pending_forms } }: { run: Run }) {
  const t = useT();
  const may = useMay();
  const decide = useAction(
    async ({ execution_key, isApproved }: { execution_key: string; isApproved: boolean }) => {
      const call = { params: { path: { id } }, body: { execution_key } };
      await dataOf(
        isApproved ? api.POST('/api/v1/runs/{id}/approve', call) : api.POST('/api/v1/runs/{id}/reject', call),
      );
    },
    ['run', 'runs'],
  );
  return (
    <>
      <ProblemNote error={decide.error} />
      {may('POST /api/v1/runs/{id}/approve') &&
        pending_approvals.map(({ execution_key, title, message }) => (
          <Note key={execution_key} tone="warn">
            <p className="font-semibold">{title}</p>
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
              {typeof message === 'string' ? message : JSON.stringify(message)}
            </p>
            <div className="mt-1 flex gap-2">
              <Button
                look="main"
                disabled={decide.isPending}
                onClick={() => decide.mutate({ execution_key, isApproved: true })}
              >
                {t('workflows.approve')}
              </Button>
              <Button disabled={decide.isPending} onClick={() => decide.mutate({ execution_key, isApproved: false })}>
                {t('workflows.reject')}
              </Button>
            </div>
          </Note>
        ))}
      {pending_forms.map(({ execution_key, title, url }) => (
        <Note key={execution_key} tone="warn">
          <p className="font-semibold">{title}</p>
          <a href={url} target="_blank" rel="noreferrer" className="underline">
            {t('workflows.fillIn')}
          </a>
        </Note>
      ))}
    </>
  );
}
