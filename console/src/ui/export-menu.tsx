import { useState } from 'react';
import { useT } from '../texts/i18n.ts';
import { Button } from './controls.tsx';
import { download } from './download.ts';
import type { ExportedPage } from './exported-page.ts';
import { Menu } from './menu.tsx';
import { ProblemNote } from './problem-note.tsx';

/** Lines as a file: as they were read, as they are corrected, or both. */
export function ExportMenu({
  name,
  note,
  load,
}: {
  name: string;
  /** The exported part of the list, if it is not all. */
  note?: string | undefined;
  load: () => Promise<readonly ExportedPage[]>;
}) {
  const t = useT();
  const [error, setError] = useState<unknown>(null);
  const [content, setContent] = useState<'corrected' | 'read' | 'both'>('corrected');
  const save = async (format: 'csv' | 'xlsx' | 'jsonl') => {
    setError(null);
    try {
      const [{ exportLines, trainingData }, pages] = await Promise.all([import('./export-lines.ts'), load()]);
      const header = (field: string) => t(field as 'field.days');
      const file = format === 'jsonl' ? trainingData(pages) : exportLines(pages, { format, content, header });
      download(file, `${name}.${format}`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Menu label={t('export.title')}>
      {note !== undefined && <p className="text-sm text-muted">{note}</p>}
      <select
        aria-label={t('export.content')}
        className="field"
        value={content}
        onChange={({ target }) => setContent(target.value as typeof content)}
      >
        <option value="corrected">{t('export.corrected')}</option>
        <option value="read">{t('export.read')}</option>
        <option value="both">{t('export.both')}</option>
      </select>
      <Button onClick={() => void save('csv')}>CSV</Button>
      <Button onClick={() => void save('xlsx')}>XLSX</Button>
      <p className="border-t border-line pt-2 text-sm text-muted">{t('export.trainingHint')}</p>
      <Button onClick={() => void save('jsonl')}>{t('export.training')}</Button>
      <ProblemNote error={error} />
    </Menu>
  );
}
