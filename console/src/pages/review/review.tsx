import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { Button, Dialog, Note, PageTitle } from '../../ui/controls.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useSameFunctions } from '../../ui/use-same-functions.ts';
import { confirmed, corrected, type Decided, type Extraction, isReturned } from './decisions.ts';
import { type LineActions, LineRow } from './line-row.tsx';
import { MAX_ZOOM, PagePicture, RemovePicture } from './page-picture.tsx';
import { shortcutOf } from './shortcut.ts';
import { extractionQuery, useReview } from './use-review.ts';

export function Review() {
  const { id } = useParams({ from: '/shell/review/$id' });
  const { data } = useSuspenseQuery({ ...extractionQuery(id), staleTime: 0 });
  return <Page key={id} extraction={data} />;
}

const KEYS = ['j', 'k', 'Enter', 'e', 'n', 's', 'x', 'u', '+', '?'] as const;

function Page({ extraction }: { extraction: Extraction }) {
  const t = useT();
  const canReview = useMay()('PUT /api/v1/extractions/{id}/review');
  const review = useReview(extraction);
  const { items } = extraction;
  const firstOpen = items.findIndex(({ needsReview }, index) => needsReview && !review.decisions.has(index));
  const [selected, setSelected] = useState(Math.max(0, firstOpen));
  const [hovered, setHovered] = useState<number | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [showsHelp, setHelp] = useState(false);
  const [zoom, setZoom] = useState(0);
  const mayBeNegative = items.some(isReturned);
  const open = items.filter(({ needsReview }, index) => needsReview && !review.decisions.has(index)).length;

  const select = (index: number) => {
    if (index < 0 || index >= items.length) return;
    setSelected(index);
    setEditing(false);
  };
  const nextOpen = (after: number, decided = review.decisions as ReadonlyMap<number, unknown>) => {
    const order = [...items.keys()].slice(after + 1).concat([...items.keys()].slice(0, after + 1));
    const next = order.find((index) => items[index]!.needsReview && !decided.has(index));
    if (next !== undefined) select(next);
  };
  const decide = (index: number, decided: Decided | null) => {
    review.decide(index, decided);
    setEditing(false);
    // Move on to the next open line.
    if (decided !== null && items[index]!.needsReview)
      nextOpen(index, new Map([...review.decisions, [index, decided]]));
  };
  const actions = useSameFunctions<LineActions>({
    select: (index) => index !== selected && select(index),
    hover: setHovered,
    decide,
    edit: setEditing,
  });
  const press = (key: string): boolean => {
    const item = items[selected];
    if (key === '?') setHelp(true);
    else if (key === 'j' || key === 'ArrowDown') select(selected + 1);
    else if (key === 'k' || key === 'ArrowUp') select(selected - 1);
    else if (key === 'n') nextOpen(selected);
    else if (key === '+' || key === '=') setZoom(Math.min(MAX_ZOOM, zoom + 1));
    else if (key === '-') setZoom(Math.max(0, zoom - 1));
    else if (!canReview || item === undefined) return false;
    else if (key === 'Enter') decide(selected, confirmed(review.decisions.get(selected)));
    else if (key === 'e') setEditing(true);
    else if (key === 'x') decide(selected, { decision: 'not_a_line', values: {} });
    else if (key === 's' && item.suggestedDrugCode !== null)
      decide(selected, corrected(review.decisions.get(selected), { drugCode: item.suggestedDrugCode }));
    else if (key === 'u') review.undo();
    else return false;
    return true;
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, isComposing } = event;
    const key = shortcutOf(event);
    if (ctrlKey || metaKey || altKey || isComposing || showsHelp) return;
    if (target instanceof Element && target.closest('input, textarea, select, dialog')) return;
    // A button does its own.
    if (key === 'Enter' && target instanceof Element && target.closest('button, a, summary')) return;
    if (press(key)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);

  return (
    <div className="flex flex-col gap-3 lg:h-[calc(100dvh-3rem)]">
      <PageTitle
        actions={
          <>
            <ExportMenu
              name={extraction.extractionId}
              load={async () => [{ extraction, decisions: review.decisions }]}
            />
            {canReview && (
              <Button onClick={review.undo} disabled={!review.canUndo} aria-keyshortcuts="u">
                {t('review.undo')}
              </Button>
            )}
            <Button onClick={() => setHelp(true)} aria-keyshortcuts="?">
              {t('review.help')}
            </Button>
            <RemovePicture id={extraction.extractionId} />
          </>
        }
      >
        {extraction.fileName ?? extraction.reference ?? t('review.title')}
      </PageTitle>
      <p role="status" className="text-sm text-muted">
        {extraction.foundTable ? t('review.open', { count: open }) : t('review.noTable')}
        {' · '}
        {review.isSaving ? t('review.saving') : review.error ? t('review.unsaved') : t('review.saved')}
      </p>
      {extraction.meta.imageIssues.length > 0 && (
        <Note tone="warn">
          {extraction.meta.imageIssues.map((issue) => (
            <p key={issue}>{t(`review.issue.${issue as 'blurred'}`, { defaultValue: issue })}</p>
          ))}
        </Note>
      )}
      {review.error !== null && (
        <div className="flex flex-wrap items-start gap-2">
          <ProblemNote error={review.error} />
          <Button onClick={review.retry}>{t('common.retry')}</Button>
        </div>
      )}
      {review.conflicts.map((conflict) => (
        <Note key={conflict.index} tone="warn" role="alert">
          <p>
            {t('review.conflict', {
              line: conflict.index + 1,
              theirs: conflict.theirs ? t(`review.decision.${conflict.theirs.decision}`) : t('review.opened'),
            })}
            {conflict.theirs && Object.entries(conflict.theirs.values).length > 0 && (
              <span> ({Object.values(conflict.theirs.values).join(', ')})</span>
            )}
          </p>
          <div className="mt-1 flex gap-2">
            <Button onClick={() => review.settle(conflict, 'mine')}>{t('review.keepMine')}</Button>
            <Button onClick={() => review.settle(conflict, 'theirs')}>{t('review.takeTheirs')}</Button>
          </div>
        </Note>
      ))}
      <div className="grid min-h-0 flex-1 grid-cols-1 gap-3 lg:grid-cols-2">
        <div className="flex min-h-0 flex-col max-lg:sticky max-lg:top-0 max-lg:z-10 max-lg:[&:not(:has([data-no-picture]))]:h-[40dvh] max-lg:self-start max-lg:bg-canvas max-lg:pb-2">
          <PagePicture
            extraction={extraction}
            lit={hovered ?? selected}
            zoom={zoom}
            onZoom={setZoom}
            onPick={actions.select}
          />
        </div>
        <section aria-label={t('review.lines')} tabIndex={0} className="min-h-0 lg:overflow-y-auto">
          <ol className="flex flex-col gap-1">
            {items.map((item, index) => (
              <LineRow
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
                key={index}
                index={index}
                item={item}
                decided={review.decisions.get(index)}
                isSelected={index === selected}
                isEditing={isEditing && index === selected}
                canReview={canReview}
                date={extraction.meta.serviceDate?.date}
                mayBeNegative={mayBeNegative}
                actions={actions}
              />
            ))}
          </ol>
        </section>
      </div>
      {showsHelp && (
        <Dialog title={t('review.help')} onClose={() => setHelp(false)}>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            {KEYS.map((key) => (
              <div key={key} className="contents">
                <dt>
                  <kbd className="rounded border border-line px-2 font-mono">{key}</kbd>
                </dt>
                <dd>{t(`review.keys.${key === '+' ? 'zoom' : key === '?' ? 'help' : key}`)}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </div>
  );
}
