import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { DOCUMENT_MEDIA_TYPES, mediaTypeOfName } from '../../../../functions/shared/media-types.ts';
import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Button, PageTitle, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Documents } from './documents.tsx';

export function Base() {
  const t = useT();
  const may = useMay();
  const navigate = useNavigate();
  const { id } = useParams({ from: '/shell/knowledge/$id' });
  const path = { id };
  const { data: base, error } = useQuery({
    queryKey: ['bases', id],
    queryFn: async () => (await dataOf(api.GET('/api/v1/knowledge-bases/{id}', { params: { path } }))).data,
  });
  const removeBase = useAction(async () => {
    await dataOf(api.DELETE('/api/v1/knowledge-bases/{id}', { params: { path } }));
    await navigate({ to: '/knowledge' });
  }, ['bases']);
  return (
    <>
      <BackLink to="/knowledge">{t('nav.knowledge')}</BackLink>
      <PageTitle
        actions={
          may('DELETE /api/v1/knowledge-bases/{id}') &&
          base && (
            <ConfirmedButton
              label={t('knowledge.removeBase')}
              question={t('common.removeQuestion', { name: base.name })}
              onConfirm={() => removeBase.mutate()}
            />
          )
        }
      >
        <span className="[overflow-wrap:anywhere]">{base?.name ?? '…'}</span>
      </PageTitle>
      <ProblemNote error={error ?? removeBase.error} />
      {may('POST /api/v1/knowledge-bases/{id}/documents') && <Drop id={id} />}
      <Documents base={id} />
      <Search id={id} />
    </>
  );
}

function Drop({ id }: { id: string }) {
  const t = useT();
  const picker = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState<readonly string[]>([]);
  const add = useAction(
    async (files: readonly File[]) => {
      setDone([]);
      for (const file of files) {
        await addDocument(id, file);
        setDone((all) => [...all, file.name]);
      }
    },
    ['documents', 'bases'],
  );
  return (
    <section
      aria-label={t('knowledge.drop')}
      className="flex flex-col items-center gap-2 rounded-xl border-2 border-dashed border-line bg-panel p-6 text-center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add.mutate([...event.dataTransfer.files]);
      }}
    >
      <p>{t('knowledge.drop')}</p>
      <Button look="main" disabled={add.isPending} onClick={() => picker.current?.click()}>
        {t('read.choose')}
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        className="hidden"
        aria-label={t('read.choose')}
        accept={Object.keys(DOCUMENT_MEDIA_TYPES)
          .map((ending) => `.${ending}`)
          .join(',')}
        onChange={({ target }) => {
          add.mutate([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      {done.length > 0 && <p role="status">{t('knowledge.sent', { count: done.length })}</p>}
      <ProblemNote error={add.error} />
    </section>
  );
}

async function addDocument(id: string, file: File): Promise<void> {
  const content_type = mediaTypeOfName(file.name);
  if (content_type === null)
    throw new Problem(415, 'unsupported_media_type', `${file.name}: ${Object.keys(DOCUMENT_MEDIA_TYPES).join(', ')}.`);
  const path = { id };
  const { upload_id, upload_url } = (
    await dataOf(
      api.POST('/api/v1/knowledge-bases/{id}/uploads', {
        params: { path },
        body: { content_type, content_length: file.size },
      }),
    )
  ).data;
  const put = await fetch(upload_url, { method: 'PUT', headers: { 'content-type': content_type }, body: file }).catch(
    () => {
      throw new Problem(0, 'offline', file.name);
    },
  );
  if (!put.ok) throw new Problem(put.status, 'upload_failed', file.name);
  await dataOf(
    api.POST('/api/v1/knowledge-bases/{id}/documents', {
      params: { path },
      body: { title: file.name, upload_id } as never,
    }),
  );
}

function Search({ id }: { id: string }) {
  const t = useT();
  const [query, setQuery] = useState('');
  const search = useAction(
    async () =>
      (await dataOf(api.POST('/api/v1/knowledge-bases/{id}/search', { params: { path: { id } }, body: { query } })))
        .data.results,
  );
  return (
    <section className="card mt-4 flex flex-col gap-3">
      <h2 className="font-semibold">{t('knowledge.search')}</h2>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          search.mutate();
        }}
      >
        <div className="min-w-0 flex-1 basis-60">
          <TextField
            label={t('knowledge.question')}
            required
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        </div>
        <Button type="submit" disabled={search.isPending}>
          {t('knowledge.search')}
        </Button>
      </form>
      <ProblemNote error={search.error} />
      {search.data?.length === 0 && <p className="text-muted">{t('knowledge.noResults')}</p>}
      <ol className="flex flex-col gap-2">
        {search.data?.map(({ document_id, title, page, score, text }) => (
          <li key={`${document_id} ${text}`} className="rounded-lg bg-raised p-2 text-sm">
            <p className="font-semibold [overflow-wrap:anywhere]">
              {title} {page !== null && t('knowledge.page', { page })} · {score.toFixed(2)}
            </p>
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
