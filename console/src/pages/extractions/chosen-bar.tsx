import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Button } from '../../ui/controls.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import type { ExportedPage } from '../../ui/exported-page.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { deleteResults } from './delete-results.ts';

/** Actions on the chosen results. */
export function ChosenBar({
  chosen,
  onChoose,
  load,
}: {
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[]) => void;
  load: () => Promise<readonly ExportedPage[]>;
}) {
  const t = useT();
  const may = useMay();
  const queries = useQueryClient();
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const remove = async () => {
    const ids = [...chosen];
    setError(null);
    setDone(0);
    const outcome = await deleteResults(ids, setDone);
    setDone(null);
    setError(outcome.error);
    onChoose(outcome.left);
    const count = ids.length - outcome.left.length;
    if (count > 0) showToast({ tone: 'good', text: t('extractions.deleted', { count }) });
    await queries.invalidateQueries({ queryKey: ['extractions'] });
  };
  const count = chosen.size;
  return (
    <section
      aria-label={t('extractions.chosen', { count })}
      className="sticky top-0 z-10 mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-panel p-2 shadow-sm"
    >
      <p role="status" className="px-1 text-sm font-semibold">
        {done === null ? t('extractions.chosen', { count }) : t('extractions.deleting', { done, total: count })}
      </p>
      <ExportMenu name="extractions" load={load} />
      {may('DELETE /api/v1/extractions/{id}') && (
        <ConfirmedButton
          label={t('common.remove')}
          question={t('extractions.deleteQuestion', { count })}
          disabled={done !== null}
          onConfirm={() => void remove()}
        />
      )}
      <Button look="quiet" disabled={done !== null} onClick={() => onChoose([])}>
        {t('extractions.chooseNone')}
      </Button>
      <ProblemNote error={error} />
    </section>
  );
}
