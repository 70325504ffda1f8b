import { useQuery } from '@tanstack/react-query';
import { lazy, type RefObject, startTransition, useRef, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { useMay, useSession } from '../../app/session.ts';
import { number, time, useT } from '../../texts/i18n.ts';
import { Badge, Button, Loading, Note, PageTitle, Scroll, Select, TextArea } from '../../ui/controls.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { EXAMPLES, type Language } from './examples.ts';
import { type InputFile, InputFiles, OutputFiles, type Result, recordedResult } from './files.tsx';
import { type Sessions, useSessions } from './sessions.ts';
import { useExecution } from './use-execution.ts';
import { useProgram } from './use-program.ts';

/** A hundred KB, which come when the person first touches the field; until they are there it stays a plain one. */
const CodeField = lazy(async () => ({ default: (await import('./code-field.tsx')).CodeField }));

export function Sandbox() {
  const t = useT();
  const may = useMay();
  const { workspace } = useSession();
  const sessions = useSessions(workspace.id);
  const { language, code, isExample, stdin, choose, setCode, setStdin } = useProgram(workspace.id);
  const [replaced, setReplaced] = useState(0);
  const [files, setFiles] = useState<readonly InputFile[]>([]);
  const [keeps, setKeeps] = useState(false);
  const caret = useRef<number | null>(null);
  const [wantsEditor, setWantsEditor] = useState(false);
  const canKeep = language === 'python' || language === 'javascript';
  const { data: languages, error } = useQuery({
    queryKey: ['languages'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/languages'))).languages,
  });
  const run = useExecution(sessions.use);
  const start = () => {
    if (!may('POST /api/v1/execute') || run.isRunning || code === '') return;
    void run.start({
      ...{ language, code, stdin, session_id: sessions.present },
      files: files.map(({ path, content_base64 }) => ({ path, content_base64 })),
      ...(keeps && canKeep && { session: { keep: true } }),
    });
  };
  /** The editor keeps its text itself: with another one it is made anew. */
  const replace = (change: () => void) => {
    change();
    setReplaced((times) => times + 1);
    caret.current = null;
  };
  return (
    <>
      <PageTitle>{t('nav.sandbox')}</PageTitle>
      <div className="grid gap-4 lg:grid-cols-2">
        <section className="card flex flex-col gap-3" aria-label={t('sandbox.program')}>
          <ProblemNote error={error} />
          <Select
            label={t('sandbox.language')}
            value={language}
            onChange={({ target }) => replace(() => choose(target.value as Language))}
          >
            {(Object.keys(EXAMPLES) as Language[]).map((name) => (
              <option key={name} value={name}>
                {name} {languages?.find((each) => each.name === name)?.version ?? ''}
              </option>
            ))}
          </Select>
          {wantsEditor ? (
            <CodeField
              key={replaced}
              label={t('sandbox.code')}
              caret={() => caret.current}
              language={language}
              value={code}
              onChange={setCode}
              onRun={start}
            />
          ) : (
            <PlainField
              value={code}
              onChange={setCode}
              caret={caret}
              onTouch={() => startTransition(() => setWantsEditor(true))}
            />
          )}
          <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
            {t('sandbox.kept')}
            {!isExample && (
              <Button look="quiet" onClick={() => replace(() => setCode(EXAMPLES[language]))}>
                {t('sandbox.reset')}
              </Button>
            )}
          </p>
          <TextArea
            label={t('sandbox.stdin')}
            rows={3}
            value={stdin}
            onChange={({ target }) => setStdin(target.value)}
          />
          <InputFiles files={files} onChange={setFiles} />
          {canKeep && (
            <label className="flex items-center gap-2 text-sm">
              <input type="checkbox" checked={keeps} onChange={({ target }) => setKeeps(target.checked)} />
              {t('sandbox.keep')}
            </label>
          )}
          {may('POST /api/v1/execute') ? (
            <div className="flex flex-wrap gap-2">
              <Button look="main" disabled={run.isRunning || code === ''} onClick={start}>
                {run.isRunning ? t('sandbox.running') : t('sandbox.run')}
              </Button>
              {run.isRunning && <Button onClick={run.stop}>{t('sandbox.stop')}</Button>}
            </div>
          ) : (
            <Note>{t('problem.s403')}</Note>
          )}
        </section>
        <section className="card flex flex-col gap-3" aria-label={t('sandbox.result')}>
          <h2 className="font-semibold">{t('sandbox.result')}</h2>
          <ProblemNote error={run.error} />
          {run.written && (
            <div aria-busy={run.isRunning}>
              <Output label="stdout" text={run.written.stdout} />
              <Output label="stderr" text={run.written.stderr} />
            </div>
          )}
          {run.isRunning && run.written?.stdout === '' && <Loading />}
          {run.result && <ShownResult result={run.result} />}
          <p className="text-sm text-muted">{t('sandbox.outHint')}</p>
        </section>
      </div>
      <History sessions={sessions} onShow={run.show} />
    </>
  );
}

function Output({ label, text }: { label: string; text: string }) {
  if (text === '') return null;
  return (
    <div>
      <h3 className="text-sm text-muted">{label}</h3>
      <Scroll label={label}>
        <pre className="max-h-96 overflow-y-auto rounded-lg bg-raised p-2 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </pre>
      </Scroll>
    </div>
  );
}

function PlainField({
  value,
  onChange,
  caret,
  onTouch,
}: {
  value: string;
  onChange: (text: string) => void;
  caret: RefObject<number | null>;
  onTouch: () => void;
}) {
  return (
    <TextArea
      label={useT()('sandbox.code')}
      className="field h-72 resize-none font-mono text-sm"
      wrap="off"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onFocus={onTouch}
      onPointerEnter={onTouch}
      onBlur={() => {
        caret.current = null;
      }}
      onSelect={({ currentTarget }) => {
        caret.current = currentTarget.selectionStart;
      }}
    />
  );
}

function ShownResult({ result }: { result: Result }) {
  const t = useT();
  const { exit_code, execution_time, stdout, stderr, value, files = [], skipped_files } = result;
  return (
    <>
      <p role="status" className="flex flex-wrap gap-2 text-sm">
        <Badge tone={exit_code === 0 ? 'good' : 'bad'}>{t('sandbox.exit', { code: exit_code })}</Badge>
        {t('sandbox.seconds', { seconds: number(execution_time) })}
      </p>
      <Output label="stdout" text={stdout} />
      <Output label="stderr" text={stderr} />
      {value !== undefined && <Output label={t('sandbox.value')} text={value} />}
      <OutputFiles files={files} skipped={skipped_files} />
    </>
  );
}

function History({ sessions, onShow }: { sessions: Sessions; onShow: (result: Result) => void }) {
  const t = useT();
  const { present, used } = sessions;
  const { data, error } = useQuery({
    queryKey: ['executions', present],
    enabled: used.includes(present),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/sessions/{session_id}', { params: { path: { session_id: present }, query: { limit: 20 } } }),
      ),
  });
  const show = useAction(async (id: string) => {
    const result = await recordedResult(id);
    if (result !== null) onShow(result);
  });
  if (used.length === 0) return null;
  // The service forgets a session after a day.
  const isGone = error instanceof Problem && error.status === 404;
  return (
    <section className="card mt-4 flex flex-col gap-2">
      <h2 className="font-semibold">{t('sandbox.history')}</h2>
      <div className="flex flex-wrap items-end gap-2">
        <Select label={t('sandbox.session')} value={present} onChange={({ target }) => sessions.choose(target.value)}>
          {[...new Set([present, ...used])].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Button onClick={sessions.begin}>{t('sandbox.newSession')}</Button>
      </div>
      <ProblemNote error={isGone ? show.error : (error ?? show.error)} />
      {data && (
        <DataTable
          label={t('sandbox.history')}
          rows={data.executions}
          rowKey={({ execution_id }) => execution_id}
          columns={[
            {
              title: t('common.when'),
              cell: ({ execution_id, created_at }) => (
                <button type="button" className="text-accent underline" onClick={() => show.mutate(execution_id)}>
                  {time(created_at)}
                </button>
              ),
            },
            { title: t('sandbox.language'), cell: ({ language }) => language },
            { title: t('sandbox.exitCode'), kind: 'number', cell: ({ exit_code }) => exit_code ?? '—' },
            { title: t('sandbox.time'), kind: 'number', cell: ({ execution_time }) => execution_time ?? '—' },
          ]}
        />
      )}
    </section>
  );
}
