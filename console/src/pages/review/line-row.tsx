import { memo, useEffect, useRef } from 'react';
import { findingOf } from '../../texts/findings.ts';
import { exact, useLanguage, useT, won } from '../../texts/i18n.ts';
import { Badge, Button } from '../../ui/controls.tsx';
import { checkLine } from './check-line.ts';
import { confirmed, corrected, correctedValues, type Decided, FIELDS, type Item } from './decisions.ts';
import { Light } from './light.tsx';
import { LineEditor } from './line-editor.tsx';
import { useListedDrug } from './listed-drugs.ts';

/** Actions on a line; always the same functions, so that a page of 500 lines redraws only those that change. */
export interface LineActions {
  select(index: number): void;
  hover(index: number | null): void;
  decide(index: number, decided: Decided | null): void;
  edit(isOpen: boolean): void;
}

export const LineRow = memo(function LineRow({
  index,
  item,
  decided,
  isSelected,
  isEditing,
  canReview,
  date,
  mayBeNegative,
  actions,
}: {
  index: number;
  item: Item;
  decided: Decided | undefined;
  isSelected: boolean;
  isEditing: boolean;
  canReview: boolean;
  /** Day whose prices hold. */
  date: string | undefined;
  mayBeNegative: boolean;
  actions: LineActions;
}) {
  const t = useT();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const values = correctedValues(item, decided);
  const isCorrected = decided?.decision === 'corrected';
  const drug = useListedDrug(isCorrected ? (values.drugCode as string | null) : null, date);
  const light = isCorrected && drug !== undefined ? checkLine(item, values, drug).light : item.status;
  const suggested = useListedDrug(isSelected ? item.suggestedDrugCode : null, date);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has j, k and Enter for the whole list.
    <li
      ref={row}
      data-index={index}
      aria-current={isSelected || undefined}
      onClick={() => actions.select(index)}
      onMouseEnter={() => actions.hover(index)}
      onMouseLeave={() => actions.hover(null)}
      className={`rounded-lg border p-2 text-sm [contain-intrinsic-size:auto_5rem] [content-visibility:auto] max-lg:scroll-mt-[42dvh] ${isSelected ? 'border-accent bg-raised' : 'border-line bg-panel'}`}
    >
      <div className="flex flex-wrap items-baseline gap-2">
        <span className="w-6 text-end text-muted tabular-nums">{index + 1}</span>
        <Light status={light} />
        {decided && <Badge>{t(`review.decision.${decided.decision}`)}</Badge>}
        <span className={`font-mono ${decided?.values.drugCode !== undefined ? 'font-bold text-accent' : ''}`}>
          {values.drugCode ?? '—'}
        </span>
        <span
          className={`min-w-0 flex-1 basis-40 [overflow-wrap:anywhere] ${decided?.decision === 'not_a_line' ? 'line-through' : ''} ${decided?.values.drugName !== undefined ? 'font-bold text-accent' : ''}`}
        >
          {values.drugName ?? '—'}
        </span>
      </div>
      <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 ps-8 text-muted">
        {FIELDS.slice(2).map((field) => (
          <div key={field} className="flex gap-1">
            <dt>{t(`field.${field}`)}</dt>
            <dd
              className={`tabular-nums ${decided?.values[field] !== undefined ? 'font-bold text-accent' : 'text-ink'}`}
            >
              {typeof values[field] === 'number' ? exact(values[field]) : '—'}
            </dd>
          </div>
        ))}
      </dl>
      {item.review.length > 0 && (isSelected || !decided) && <Notes item={item} />}
      {isSelected && canReview && !isEditing && (
        <div className="mt-2 flex flex-wrap gap-2 ps-8">
          <Button look="main" onClick={() => actions.decide(index, confirmed(decided))}>
            {t('review.accept')}
          </Button>
          <Button onClick={() => actions.edit(true)}>{t('review.edit')}</Button>
          {item.suggestedDrugCode !== null && (
            <Button onClick={() => actions.decide(index, corrected(decided, { drugCode: item.suggestedDrugCode }))}>
              {t('review.suggested', { code: item.suggestedDrugCode })}
              {suggested && (
                <span className="min-w-0 text-start [overflow-wrap:anywhere]">
                  {suggested.name} {suggested.priceKrw !== null && won(suggested.priceKrw)}
                </span>
              )}
            </Button>
          )}
          <Button onClick={() => actions.decide(index, { decision: 'not_a_line', values: {} })}>
            {t('review.notALine')}
          </Button>
          {decided && <Button onClick={() => actions.decide(index, null)}>{t('review.reopen')}</Button>}
        </div>
      )}
      {isSelected && isEditing && (
        <LineEditor
          item={item}
          decided={decided}
          date={date}
          mayBeNegative={mayBeNegative}
          onCancel={() => actions.edit(false)}
          onSave={(changed) =>
            actions.decide(index, {
              decision: Object.keys(changed).length > 0 ? 'corrected' : 'accepted',
              values: changed,
            })
          }
        />
      )}
    </li>
  );
});

function Notes({ item }: { item: Item }) {
  const language = useLanguage();
  return (
    <ul className="mt-1 ps-8">
      {item.review.map((note) => {
        const { title, text } = findingOf(note, language);
        return (
          <li key={note} className="[overflow-wrap:anywhere]">
            <span className="font-semibold">{title}</span>
            {text && <span className="text-muted"> — {text}</span>}
          </li>
        );
      })}
    </ul>
  );
}
