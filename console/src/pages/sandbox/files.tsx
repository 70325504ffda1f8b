import { useEffect, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { paths } from '../../api/openapi.d.ts';
import { number, useT } from '../../texts/i18n.ts';
import { Button, buttonClass, Note, Scroll } from '../../ui/controls.tsx';
import { download } from '../../ui/download.ts';

export type Result = paths['/api/v1/execute']['post']['responses'][200]['content']['application/json'];
type OutputFile = NonNullable<Result['files']>[number];

export interface InputFile {
  readonly path: string;
  readonly size: number;
  readonly content_base64: string;
}

const MAX_FILES = 100;
const MAX_BYTES = 8 * 1024 * 1024;

/** Files for the program's directory. */
export function InputFiles({
  files,
  onChange,
}: {
  files: readonly InputFile[];
  onChange: (files: readonly InputFile[]) => void;
}) {
  const t = useT();
  const [refused, setRefused] = useState(false);
  const add = async (added: readonly File[]) => {
    const read = await Promise.all(
      added.map(async (file) => ({ path: file.name, size: file.size, content_base64: await base64Of(file) })),
    );
    // A file of the same name takes the other's place.
    const names = new Set(read.map(({ path }) => path));
    const all = [...files.filter(({ path }) => !names.has(path)), ...read];
    const isTooMuch = all.length > MAX_FILES || all.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES;
    setRefused(isTooMuch);
    if (!isTooMuch) onChange(all);
  };
  return (
    <div className="flex flex-col gap-2">
      <label className={`${buttonClass()} cursor-pointer self-start focus-within:outline-2`}>
        {t('sandbox.addFiles')}
        <input
          type="file"
          multiple
          className="sr-only"
          onChange={({ target }) => {
            const chosen = [...(target.files ?? [])];
            target.value = '';
            void add(chosen);
          }}
        />
      </label>
      {refused && (
        <Note tone="warn" role="alert">
          {t('sandbox.tooManyFiles')}
        </Note>
      )}
      <ul className="text-sm">
        {files.map(({ path, size }) => (
          <li key={path} className="flex items-center justify-between gap-2">
            <span className="[overflow-wrap:anywhere]">{path}</span>
            <span className="whitespace-nowrap text-muted">{number(size)} B</span>
            <Button
              look="quiet"
              aria-label={t('read.remove', { name: path })}
              onClick={() => onChange(files.filter((each) => each.path !== path))}
            >
              ✕
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Files that the program wrote below out/. */
export function OutputFiles({ files, skipped }: { files: readonly OutputFile[]; skipped: Result['skipped_files'] }) {
  const t = useT();
  if (files.length === 0 && !skipped?.length) return null;
  return (
    <div>
      <h3 className="text-sm text-muted">{t('sandbox.filesOut')}</h3>
      <ul className="flex flex-col gap-2 text-sm">
        {files.map((file) => (
          <li key={file.path} className="flex flex-col gap-1">
            <span className="flex flex-wrap items-center justify-between gap-2">
              <span className="[overflow-wrap:anywhere]">
                {file.path} <span className="text-muted">{number(file.size)} B</span>
              </span>
              {file.url ? (
                <a href={file.url} target="_blank" rel="noreferrer" className="text-accent underline">
                  {t('sandbox.download')}
                </a>
              ) : (
                <Button onClick={() => download(blobOf(file), file.path.split('/').at(-1)!)}>
                  {t('sandbox.download')}
                </Button>
              )}
            </span>
            {file.content_base64 && /^image\/(png|jpeg|gif|webp)$/.test(file.media_type) && <Picture file={file} />}
          </li>
        ))}
        {skipped?.map(({ path, reason }) => (
          <li key={path} className="text-warn [overflow-wrap:anywhere]">
            {path}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Picture({ file }: { file: OutputFile }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(blobOf(file));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url === null ? null : (
    <Scroll label={file.path}>
      <img src={url} alt={file.path} className="max-h-96 rounded border border-line" />
    </Scroll>
  );
}

function blobOf({ content_base64 = '', media_type }: OutputFile): Blob {
  return new Blob([Uint8Array.from(atob(content_base64), (character) => character.charCodeAt(0))], {
    type: media_type,
  });
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** The result of an execution of the last 24 hours. */
export async function recordedResult(executionId: string): Promise<Result | null> {
  const path = { execution_id: executionId };
  return (await dataOf(api.GET('/api/v1/execute/status/{execution_id}', { params: { path } }))).result;
}
