import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { exact, useT, won } from '../../texts/i18n.ts';
import { Button } from '../../ui/controls.tsx';
import { checkLine, type ListedDrug, type Objection } from './check-line.ts';
import {
  correctedValues,
  type Decided,
  doubtedField,
  FIELDS,
  type Field,
  type Item,
  parsedValue,
  type Value,
  type Values,
} from './decisions.ts';
import { Light } from './light.tsx';
import { useDrugSearch, useListedDrug } from './listed-drugs.ts';

/** The fields of a line, checked as a person types. */
export function LineEditor({
  item,
  decided,
  date,
  mayBeNegative,
  onSave,
  onCancel,
}: {
  item: Item;
  decided: Decided | undefined;
  /** Day whose prices hold. */
  date: string | undefined;
  /** Whether the page has lines of returned drugs. */
  mayBeNegative: boolean;
  onSave: (values: Values) => void;
  onCancel: () => void;
}) {
  const t = useT();
  const start = correctedValues(item, decided);
  const [texts, setTexts] = useState(
    () => Object.fromEntries(FIELDS.map((field) => [field, String(start[field] ?? '')])) as Record<Field, string>,
  );
  /** The field whose text is searched for in the list. */
  const [searched, setSearched] = useState<'drugCode' | 'drugName' | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    first.current?.focus();
    first.current?.select();
  }, []);
  const doubted = doubtedField(item);
  const parsed = FIELDS.map((field) => [field, parsedValue(field, texts[field], mayBeNegative)] as const);
  const faults = new Map(parsed.flatMap(([field, value]) => ('fault' in value ? [[field, value.fault]] : [])));
  const values = Object.fromEntries(
    parsed.map(([field, value]) => [field, 'fault' in value ? null : value.value]),
  ) as Record<Field, Value>;
  const code = useDeferredValue(texts.drugCode.trim() || null);
  const drug = useListedDrug(code, date);
  const check = faults.size > 0 || drug === undefined ? null : checkLine(item, values, drug);
  const change = (changed: Partial<Record<Field, string>>) => setTexts({ ...texts, ...changed });
  const save = () => {
    if (faults.size > 0) return;
    onSave(Object.fromEntries(FIELDS.filter((field) => values[field] !== item[field]).map((f) => [f, values[f]])));
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
            autoComplete="off"
            aria-invalid={faults.has(field) || undefined}
            value={texts[field]}
            onChange={({ target }) => {
              change({ [field]: target.value });
              if (field === 'drugCode' || field === 'drugName') setSearched(field);
            }}
          />
          {faults.has(field) && <span className="text-bad">{t(`review.fault.${faults.get(field)!}`)}</span>}
        </label>
      ))}
      {searched !== null && (
        <Found
          text={texts[searched]}
          date={date}
          onTake={({ code: drugCode, name: drugName }) => {
            change({ drugCode, drugName });
            setSearched(null);
          }}
        />
      )}
      <div role="status" className="col-span-full flex flex-col gap-1">
        {check && (
          <>
            <Light status={check.light} />
            <ul>
              {check.objections.map((objection) => (
                <li key={`${objection.kind} ${objection.field}`} className="flex flex-wrap items-center gap-2">
                  <ObjectionText objection={objection} />
                  {objection.expected !== null && (
                    <Button onClick={() => change({ [objection.field]: String(objection.expected) })}>
                      {t(objection.kind === 'price' ? 'review.takeListPrice' : 'review.takeComputed', {
                        value: exact(objection.expected),
                      })}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="col-span-full flex gap-2">
        <Button type="submit" look="main" disabled={faults.size > 0}>
          {t('common.save')}
        </Button>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}

function ObjectionText({ objection: { kind, field } }: { objection: Objection }) {
  const t = useT();
  return <span>{t(`review.objection.${kind}`, { field: t(`field.${field}`) })}</span>;
}

/** Drugs of the list by the typed text, each with its maker and price. */
function Found({ text, date, onTake }: { text: string; date: string | undefined; onTake: (drug: ListedDrug) => void }) {
  const t = useT();
  const searched = useDeferredValue(text);
  const found = useDrugSearch(searched, date);
  return (
    <section aria-label={t('review.fromList')} className="col-span-full rounded-lg border border-line">
      {found?.length === 0 && text.trim() !== '' && <p className="p-2 text-muted">{t('review.notInList')}</p>}
      <ul className="max-h-48 overflow-y-auto">
        {found?.map((drug) => (
          <li key={drug.code}>
            <button
              type="button"
              className="flex w-full flex-wrap gap-x-2 p-2 text-start hover:bg-raised"
              onClick={() => onTake(drug)}
            >
              <span className="font-mono">{drug.code}</span>
              <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
                {drug.name} <span className="text-muted">{drug.maker}</span>
              </span>
              <span className="tabular-nums">
                {drug.priceKrw !== null ? won(drug.priceKrw) : t(drug.listed ? 'review.noPrice' : 'review.unlisted')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
