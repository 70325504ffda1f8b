import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import samplePage from '../../../../docs/sample-page.png';
import { Problem } from '../../api/problem.ts';
import { useMay } from '../../app/session.ts';
import { number, useT, won } from '../../texts/i18n.ts';
import { Button, buttonClass, Note, PageTitle } from '../../ui/controls.tsx';
import { useFunds } from '../../ui/funds.ts';
import { affordablePages, costOf, type Funds } from '../../ui/page-cost.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useArrival } from './arrival.ts';
import { BatchProgress } from './batch-progress.tsx';
import { pageCountOf } from './page-count.ts';
import { ACCEPTED, extract, faultOf, MAX_PAGES, pageName, type SentPage, sendBatch, upload } from './send.ts';

interface Chosen {
  readonly file: File;
  /** Null where they cannot be counted. */
  readonly pages: number | null;
  /** Addresses of its uploads, one a page, so that each page can be deleted alone; kept, so that a second try sends none again. */
  readonly imageUrls: string[];
}

interface Choice {
  readonly files: readonly Chosen[];
  /** Why files are not among them. */
  readonly refused: readonly string[];
}

const countOf = (files: readonly Chosen[]) => files.reduce((sum, { pages }) => sum + (pages ?? 1), 0);

export function Read() {
  const t = useT();
  const may = useMay();
  const { job } = useSearch({ from: '/shell/read' });
  return (
    <>
      <PageTitle>{t('nav.read')}</PageTitle>
      {may('POST /api/v1/edi-extract-lite/extract') ? <Sender /> : <Note>{t('problem.s403')}</Note>}
      {job !== undefined && <BatchProgress jobId={job} />}
    </>
  );
}

function Sender() {
  const t = useT();
  const arrive = useArrival('/read');
  const queries = useQueryClient();
  const [{ files, refused }, setChosen] = useState<Choice>({ files: [], refused: [] });
  const [uploaded, setUploaded] = useState(0);
  const [isCounting, setCounting] = useState(false);
  const [isOver, setOver] = useState(false);
  const count = countOf(files);
  const picker = useRef<HTMLInputElement>(null);
  const key = useRef(crypto.randomUUID());
  const funds = useFunds();

  const add = async (added: readonly File[]) => {
    const faults = added.flatMap((file) => {
      const fault = faultOf(file);
      return fault === null ? [] : [`${file.name}: ${t(`read.${fault}`)}`];
    });
    const good = added.filter((file) => faultOf(file) === null);
    setCounting(true);
    const counted = await Promise.all(
      good.map(async (file) => ({ file, pages: await pageCountOf(file), imageUrls: [] })),
    );
    setCounting(false);
    setChosen(({ files: before }) => {
      const all = [...before];
      const refused = [...faults];
      for (const chosen of counted)
        if (countOf([...all, chosen]) <= MAX_PAGES) all.push(chosen);
        else refused.push(t('read.tooMany', { max: MAX_PAGES, name: chosen.file.name, count: chosen.pages ?? 1 }));
      return { files: all, refused };
    });
    key.current = crypto.randomUUID();
  };

  const send = useMutation({
    async mutationFn(sent: readonly Chosen[]) {
      setUploaded(0);
      const ready: SentPage[] = [];
      const failed: { readonly name: string; readonly problem: Problem }[] = [];
      for (const { file, pages, imageUrls } of sent) {
        try {
          for (let index = 0; index < (pages ?? 1); index++) {
            imageUrls[index] ??= await upload(file);
            setUploaded((count) => count + 1);
          }
          ready.push(
            ...imageUrls.map((imageUrl, index) => ({
              imageUrl,
              fileName: pageName(file.name, index + 1, pages ?? 1),
              page: pages === null || pages === 1 ? null : index + 1,
            })),
          );
        } catch (error) {
          // One file that is refused stops no other; without a network none can be sent.
          if (!(error instanceof Problem) || error.status === 0 || sent.length === 1) throw error;
          failed.push({ name: file.name, problem: error });
        }
      }
      const [first] = ready;
      if (first === undefined) throw failed[0]!.problem;
      setChosen({ files: sent, refused: failed.map(({ name, problem }) => `${name}: ${problem.message}`) });
      if (ready.length === 1) {
        const { requestId } = await extract(first, key.current);
        return { to: '/review/$id', params: { id: requestId } } as const;
      }
      const { jobId } = await sendBatch(ready, key.current);
      return { to: '/read', search: { job: jobId } } as const;
    },
    async onSuccess(target) {
      setChosen(({ refused: still }) => ({ files: [], refused: still }));
      key.current = crypto.randomUUID();
      await Promise.all(
        ['balance', 'usage', 'extractions'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
      );
      await arrive.done(target);
    },
    onError(error) {
      arrive.failed(error);
      return queries.invalidateQueries({ queryKey: ['balance'] });
    },
  });

  const onPaste = useEffectEvent(({ clipboardData }: ClipboardEvent) => {
    const pasted = [...(clipboardData?.files ?? [])];
    if (pasted.length > 0) void add(pasted);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listener);
    return () => document.removeEventListener('paste', listener);
  }, []);

  const readSample = async () => {
    const blob = await (await fetch(samplePage)).blob();
    const sent = [{ file: new File([blob], 'sample-page.png', { type: 'image/png' }), pages: 1, imageUrls: [] }];
    setChosen({ files: sent, refused: [] });
    send.mutate(sent);
  };

  return (
    <div className="flex flex-col gap-4">
      <section
        aria-label={t('read.drop')}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void add([...event.dataTransfer.files]);
        }}
        className={`flex flex-col items-center gap-3 rounded-xl border-2 border-dashed p-8 text-center ${isOver ? 'border-accent bg-raised' : 'border-line bg-panel'}`}
      >
        <p>{t('read.drop')}</p>
        <p className="text-sm text-muted">{t('read.kinds')}</p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button look="main" onClick={() => picker.current?.click()}>
            {t('read.choose')}
          </Button>
          <label className={`${buttonClass()} cursor-pointer focus-within:outline-2 sm:hidden`}>
            {t('read.photo')}
            <input
              type="file"
              accept="image/*"
              capture="environment"
              className="sr-only"
              onChange={({ target }) => void add([...(target.files ?? [])])}
            />
          </label>
          <Button onClick={() => void readSample()} disabled={send.isPending}>
            {t('read.sample')}
          </Button>
        </div>
        <input
          ref={picker}
          type="file"
          multiple
          accept={ACCEPTED}
          className="hidden"
          aria-label={t('read.choose')}
          onChange={({ target }) => {
            void add([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </section>
      {refused.length > 0 && (
        <Note tone="warn" role="alert">
          {refused.map((text) => (
            <p key={text} className="[overflow-wrap:anywhere]">
              {text}
            </p>
          ))}
        </Note>
      )}
      {isCounting && (
        <p role="status" className="text-sm">
          {t('read.counting')}
        </p>
      )}
      {files.length > 0 && (
        <section className="card flex flex-col gap-3" aria-label={t('read.files')}>
          <ul className="flex max-h-64 flex-col gap-1 overflow-y-auto">
            {files.map(({ file, pages }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be there twice.
              <li key={index} className="flex items-center justify-between gap-2 text-sm">
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                  {file.name}
                  {pages === null && <span className="block text-warn">{t('read.uncounted')}</span>}
                </span>
                <span className="whitespace-nowrap text-muted">
                  {pages !== null && `${t('read.pages', { count: pages })} · `}
                  {number(Math.ceil(file.size / 1024))} KB
                </span>
                <Button
                  look="quiet"
                  aria-label={t('read.remove', { name: file.name })}
                  disabled={send.isPending}
                  onClick={() => setChosen({ files: files.filter((_, at) => at !== index), refused: [] })}
                >
                  ✕
                </Button>
              </li>
            ))}
          </ul>
          {funds && <Cost pages={count} funds={funds} />}
          <ProblemNote error={send.error} />
          {send.isPending && (
            <p role="status" className="text-sm">
              {uploaded < count
                ? t('read.uploading', { done: uploaded, total: count })
                : count === 1
                  ? t('read.reading')
                  : t('read.queueing')}
            </p>
          )}
          <Button
            look="main"
            className="self-start"
            disabled={send.isPending || isCounting}
            onClick={() => send.mutate(files)}
          >
            {send.error ? t('common.retry') : t('read.send')}
          </Button>
        </section>
      )}
    </div>
  );
}

/** The highest cost of the pages, and whether the balance is enough for it. */
function Cost({ pages, funds }: { pages: number; funds: Funds }) {
  const t = useT();
  const { free, krw } = costOf(pages, funds.freePagesLeft);
  const affordable = affordablePages(funds);
  return (
    <>
      <p className="text-sm">
        {t('read.cost', { count: pages, krw: won(krw) })} {free > 0 && t('read.free', { count: free })}{' '}
        <span className="text-muted">{t('read.balance', { krw: won(funds.balanceKrw) })}</span>
      </p>
      {affordable < pages && (
        <Note tone="warn" role="status">
          {t('read.notEnough', { count: pages, affordable, krw: won(krw - funds.balanceKrw) })}{' '}
          <Link to="/account" className="underline">
            {t('home.topUp')}
          </Link>
        </Note>
      )}
    </>
  );
}
