import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../texts/i18n.ts';
import { Button, Select, TextField } from '../../ui/controls.tsx';
import { type ResultsSearch, SORTS, type Sort } from './listed.ts';

/** Typing asks the service when it pauses. */
const PAUSE_MS = 300;

const SHOWN = {
  all: {},
  open: { open: true },
  done: { open: false },
  noTable: { table: false },
} as const satisfies Readonly<Record<string, ResultsSearch>>;
type Shown = keyof typeof SHOWN;

const shownOf = ({ open, table }: ResultsSearch): Shown => {
  if (table === false) return 'noTable';
  if (open === undefined) return 'all';
  return open ? 'open' : 'done';
};

/** Search, filters and order of the results, all in the address. */
export function Filters() {
  const t = useT();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/extractions' });
  const { job, q = '', sort = 'newest' } = search;
  const [typed, setTyped] = useState(q);
  const asked = useRef(q);
  useEffect(() => {
    // A link led to another address.
    if (q === asked.current) return;
    asked.current = q;
    setTyped(q);
  }, [q]);
  useEffect(() => {
    const text = typed.trim();
    if (text === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = text;
      void navigate({
        to: '/extractions',
        search: (before: ResultsSearch) => ({ ...before, q: text || undefined }),
        replace: true,
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, navigate]);
  const show = (shown: Shown) => {
    const { open: _open, table: _table, ...rest } = search;
    void navigate({ to: '/extractions', search: { ...rest, ...SHOWN[shown] } });
  };
  return (
    <div className="mb-3 grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_auto_auto_auto]">
      <TextField
        label={t('extractions.search')}
        type="search"
        maxLength={100}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Select
        label={t('extractions.show')}
        value={shownOf(search)}
        onChange={({ target }) => show(target.value as Shown)}
      >
        {(Object.keys(SHOWN) as Shown[]).map((each) => (
          <option key={each} value={each}>
            {t(`extractions.${each}`)}
          </option>
        ))}
      </Select>
      <Select
        label={t('extractions.sort')}
        value={sort}
        onChange={({ target }) =>
          void navigate({ to: '/extractions', search: { ...search, sort: target.value as Sort }, replace: true })
        }
      >
        {SORTS.map((each) => (
          <option key={each} value={each}>
            {t(`extractions.by.${each}`)}
          </option>
        ))}
      </Select>
      {job !== undefined && (
        <Button onClick={() => void navigate({ to: '/extractions', search: { ...search, job: undefined } })}>
          {t('extractions.everyBatch')}
        </Button>
      )}
    </div>
  );
}
