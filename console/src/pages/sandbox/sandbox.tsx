import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useMay, useSession } from '../../app/session.ts';
import { number, time, useT } from '../../texts/i18n.ts';
import { Badge, Button, Loading, Note, PageTitle, Scroll, Select, TextArea } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { CodeField } from './code-field.tsx';

const EXAMPLES = {
  python: 'import sys\n\nname = sys.stdin.read().strip() or "world"\nprint("Hello", name)\n',
  javascript: "const name = require('fs').readFileSync(0, 'utf8').trim() || 'world';\nconsole.log('Hello', name);\n",
  typescript:
    "import { readFileSync } from 'node:fs';\n\nconst name: string = readFileSync(0, 'utf8').trim() || 'world';\nconsole.log('Hello', name);\n",
  go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("Hello world")\n}\n',
  ruby: 'name = $stdin.read.to_s.strip\nputs "Hello " + (name.empty? ? "world" : name)\n',
  bash: 'read -r name\necho "Hello $name"\n',
} as const;
type Language = keyof typeof EXAMPLES;

export function Sandbox() {
  const t = useT();
  const may = useMay();
  const { workspace } = useSession();
  const session = `console-${workspace.id}`;
  const [language, setLanguage] = useState<Language>('python');
  const [code, setCode] = useState<string>(EXAMPLES.python);
  const [stdin, setStdin] = useState('');
  const { data: languages, error } = useQuery({
    queryKey: ['languages'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/languages'))).languages,
  });
  const run = useAction(
    () => dataOf(api.POST('/api/v1/execute', { body: { language, code, stdin, session_id: session } })),
    ['executions'],
  );
  const choose = (next: Language) => {
    // Keep the user's code.
    if (code === EXAMPLES[language]) setCode(EXAMPLES[next]);
    setLanguage(next);
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
            onChange={({ target }) => choose(target.value as Language)}
          >
            {(Object.keys(EXAMPLES) as Language[]).map((name) => (
              <option key={name} value={name}>
                {name} {languages?.find((each) => each.name === name)?.version ?? ''}
              </option>
            ))}
          </Select>
          <CodeField label={t('sandbox.code')} value={code} onChange={setCode} />
          <TextArea
            label={t('sandbox.stdin')}
            rows={3}
            value={stdin}
            onChange={({ target }) => setStdin(target.value)}
          />
          {may('POST /api/v1/execute') ? (
            <Button
              look="main"
              className="self-start"
              disabled={run.isPending || code === ''}
              onClick={() => run.mutate()}
            >
              {run.isPending ? t('sandbox.running') : t('sandbox.run')}
            </Button>
          ) : (
            <Note>{t('problem.s403')}</Note>
          )}
        </section>
        <section className="card flex flex-col gap-3" aria-label={t('sandbox.result')}>
          <h2 className="font-semibold">{t('sandbox.result')}</h2>
          <ProblemNote error={run.error} />
          {run.isPending && <Loading />}
          {run.data && (
            <>
              <p role="status" className="flex flex-wrap gap-2 text-sm">
                <Badge tone={run.data.exit_code === 0 ? 'good' : 'bad'}>
                  {t('sandbox.exit', { code: run.data.exit_code })}
                </Badge>
                {t('sandbox.seconds', { seconds: number(run.data.execution_time) })}
              </p>
              <Output label="stdout" text={run.data.stdout} />
              <Output label="stderr" text={run.data.stderr} />
            </>
          )}
        </section>
      </div>
      <History session={session} />
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

function History({ session }: { session: string }) {
  const t = useT();
  const { data } = useQuery({
    queryKey: ['executions', session],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/sessions/{session_id}', { params: { path: { session_id: session }, query: { limit: 20 } } }),
      ),
    retry: false,
  });
  if (!data || data.executions.length === 0) return null;
  return (
    <section className="card mt-4">
      <h2 className="font-semibold">{t('sandbox.history')}</h2>
      <Scroll label={t('sandbox.history')}>
        <table className="table">
          <thead>
            <tr>
              <th>{t('common.when')}</th>
              <th>{t('sandbox.language')}</th>
              <th className="number">{t('sandbox.exitCode')}</th>
              <th className="number">{t('sandbox.time')}</th>
            </tr>
          </thead>
          <tbody>
            {data.executions.map(({ execution_id, created_at, language, exit_code, execution_time }) => (
              <tr key={execution_id}>
                <td>{time(created_at)}</td>
                <td>{language}</td>
                <td className="number">{exit_code ?? '—'}</td>
                <td className="number">{execution_time ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
