import { useT } from '../texts/i18n.ts';
import { TextField } from './controls.tsx';

/** Shorter lists are seen as a whole. */
const MIN_LISTED = 6;

/** A field that narrows a list by name; nothing above a short list. */
export function NameFilter({
  count,
  value,
  onChange,
}: {
  count: number;
  value: string;
  onChange: (value: string) => void;
}) {
  const t = useT();
  if (count < MIN_LISTED) return null;
  return (
    <div className="mb-4 max-w-md">
      <TextField
        label={t('common.filter')}
        type="search"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

/** Whether a name or description has the text of the filter, in capitals or not. */
export function isNamed(filter: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const sought = filter.trim().normalize('NFC').toLowerCase();
  return texts.some((text) => text?.normalize('NFC').toLowerCase().includes(sought));
}
