import { memo, useEffect, useRef, useState } from 'react';
import { findingOf } from '../../texts/findings.ts';
import { useLanguage, useT } from '../../texts/i18n.ts';
import { Badge, Button } from '../../ui/controls.tsx';
import {
  correctedValues,
  type Decided,
  doubtedField,
  FIELDS,
  type Field,
  type Item,
  parsedValue,
  type Values,
} from './decisions.ts';

const TONES = { GREEN: 'good', YELLOW: 'warn', RED: 'bad' } as const;
const MARKS = { GREEN: '●', YELLOW: '▲', RED: '■' } as const;

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
  actions,
}: {
  index: number;
  item: Item;
  decided: Decided | undefined;
  isSelected: boolean;
  isEditing: boolean;
  canReview: boolean;
  actions: LineActions;
}) {
  const t = useT();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const values = correctedValues(item, decided);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has j, k and Enter for the whole list.
    <li
      ref={row}
      data-index={index}
      aria-current={isSelected || undefined}
      onClick={() => actions.select(index)}
      onMouseEnter={() => actions.hover(index)}
      onMouseLeave={() => actions.hover(null)}
      className={`rounded-lg border p-2 text-sm [contain-intrinsic-size:auto_5rem] [content-visibility:auto] ${isSelected ? 'border-accent bg-raised' : 'border-line bg-panel'}`}
    >
      <div className="flex flex-wrap items-baseline gap-2">
        <span className="w-6 text-end text-muted tabular-nums">{index + 1}</span>
        <Badge tone={TONES[item.status]}>
          {MARKS[item.status]} {t(`light.${item.status}`)}
        </Badge>
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
              {values[field] ?? '—'}
            </dd>
          </div>
        ))}
      </dl>
      {item.review.length > 0 && (isSelected || !decided) && <Notes item={item} />}
      {isSelected && canReview && !isEditing && (
        <div className="mt-2 flex flex-wrap gap-2 ps-8">
          <Button look="main" onClick={() => actions.decide(index, { decision: 'accepted', values: {} })}>
            {t('review.accept')}
          </Button>
          <Button onClick={() => actions.edit(true)}>{t('review.edit')}</Button>
          {item.suggestedDrugCode !== null && (
            <Button
              onClick={() =>
                actions.decide(index, {
                  decision: 'corrected',
                  values: { ...decided?.values, drugCode: item.suggestedDrugCode },
                })
              }
            >
              {t('review.suggested', { code: item.suggestedDrugCode })}
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

function LineEditor({
  item,
  decided,
  onSave,
  onCancel,
}: {
  item: Item;
  decided: Decided | undefined;
  onSave: (values: Values) => void;
  onCancel: () => void;
}) {
  const t = useT();
  const start = correctedValues(item, decided);
  const [texts, setTexts] = useState(
    () => Object.fromEntries(FIELDS.map((field) => [field, String(start[field] ?? '')])) as Record<Field, string>,
  );
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    first.current?.focus();
    first.current?.select();
  }, []);
  const doubted = doubtedField(item);
  const wrong = FIELDS.filter((field) => parsedValue(field, texts[field]) === undefined);
  const save = () => {
    if (wrong.length > 0) return;
    const entries = FIELDS.map((field) => [field, parsedValue(field, texts[field])!] as const);
    onSave(Object.fromEntries(entries.filter(([field, value]) => value !== item[field])));
  };
  return (
    <form
      className="mt-2 grid grid-cols-2 gap-2 ps-8 sm:grid-cols-3"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      {FIELDS.map((field) => (
        <label key={field} className={`flex flex-col text-xs text-muted ${field === 'drugName' ? 'col-span-2' : ''}`}>
          {t(`field.${field}`)}
          <input
            ref={field === doubted ? first : null}
            className="field text-sm"
            inputMode={field === 'drugName' ? 'text' : 'decimal'}
            maxLength={300}
            aria-invalid={wrong.includes(field) || undefined}
            value={texts[field]}
            onChange={({ target }) => setTexts({ ...texts, [field]: target.value })}
          />
          {wrong.includes(field) && <span className="text-bad">{t('review.noNumber')}</span>}
        </label>
      ))}
      <div className="col-span-full flex gap-2">
        <Button type="submit" look="main">
          {t('common.save')}
        </Button>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
