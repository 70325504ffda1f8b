import { useT } from '../../texts/i18n.ts';
import { Badge } from '../../ui/controls.tsx';
import { FailureText } from '../../ui/failure-text.tsx';
import { useRun } from './run.tsx';

export interface ChatTurn {
  readonly question: string;
  readonly runId: string;
}

/** Messages to a draft and the answers of their runs. @param pending a message whose run has no id yet */
export function ChatTurns({ turns, pending }: { turns: readonly ChatTurn[]; pending: string | null }) {
  const t = useT();
  return (
    <>
      <p className="text-sm text-muted">{t('workflows.chatHint')}</p>
      <div role="log" aria-label={t('workflows.chat')} className="flex flex-col gap-2">
        {turns.map(({ question, runId }) => (
          <div key={runId} className="flex flex-col gap-1">
            <Question text={question} />
            <Answer runId={runId} />
          </div>
        ))}
        {pending !== null && pending !== '' && <Question text={pending} />}
      </div>
    </>
  );
}

function Question({ text }: { text: string }) {
  return <p className="self-end whitespace-pre-wrap rounded-xl bg-raised px-3 py-2 [overflow-wrap:anywhere]">{text}</p>;
}

function Answer({ runId }: { runId: string }) {
  const t = useT();
  const { data: run } = useRun(runId, false);
  if (!run) return <p className="text-muted">…</p>;
  return (
    <div className="whitespace-pre-wrap [overflow-wrap:anywhere]">
      {run.status !== 'succeeded' && (
        <Badge tone={run.status === 'failed' ? 'bad' : 'warn'}>{t(`workflows.status.${run.status}`)}</Badge>
      )}{' '}
      {run.answer}
      {run.failure && <FailureText failure={run.failure} />}
    </div>
  );
}
