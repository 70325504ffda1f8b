import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useT } from '../../texts/i18n.ts';
import { Button } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Trace } from './answer-trace.tsx';
import { ask, type Message, pieceOf } from './stream.ts';
import type { TimedEvent } from './trace.ts';

const Markdown = lazy(async () => ({ default: (await import('../../ui/markdown.tsx')).Markdown }));

const LONG_WAIT_MS = 10_000;

interface Turn extends Message {
  /** Named events of the answer; none of a question. */
  readonly events: readonly TimedEvent[];
}

/** A conversation with the application as its clients have it, with the events of each answer. */
export function Playground({ id }: { id: string }) {
  const t = useT();
  const queries = useQueryClient();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const session = useRef(crypto.randomUUID());

  async function send(): Promise<void> {
    const question = text.trim();
    if (question === '') return;
    const controller = new AbortController();
    setRunning(controller);
    setError(null);
    setText('');
    const before: readonly Turn[] = [...turns, { role: 'user', content: question, events: [] }];
    let answer: Turn = { role: 'assistant', content: '', events: [] };
    setTurns([...before, answer]);
    try {
      // The session keeps the earlier messages.
      for await (const event of ask(id, [{ role: 'user', content: question }], session.current, controller.signal)) {
        answer =
          event.type === null
            ? { ...answer, content: answer.content + pieceOf(event) }
            : { ...answer, events: [...answer.events, { ...event, atMs: performance.now() }] };
        setTurns([...before, answer]);
      }
      void queries.invalidateQueries({ queryKey: ['conversations', id] });
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
      // Nothing typed is lost: the question can be sent again.
      if (!controller.signal.aborted || answer.content === '') setText(question);
      setTurns(answer.content === '' && answer.events.length === 0 ? turns : [...before, answer]);
    } finally {
      setRunning(null);
    }
  }

  return (
    <section
      className="card flex min-h-96 flex-col gap-3 lg:h-[calc(100dvh-9rem)]"
      aria-label={t('applications.playground')}
    >
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-semibold">{t('applications.playground')}</h2>
        <Button
          disabled={running !== null || turns.length === 0}
          onClick={() => {
            setTurns([]);
            setError(null);
            session.current = crypto.randomUUID();
          }}
        >
          {t('applications.restart')}
        </Button>
      </div>
      <div
        role="log"
        // It scrolls, also by the keyboard.
        tabIndex={0}
        aria-label={t('applications.playground')}
        className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto"
      >
        {turns.length === 0 && (
          <p className="m-auto max-w-xs text-center text-sm text-muted">{t('applications.playgroundEmpty')}</p>
        )}
        {turns.map(({ role, content, events }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added.
            key={index}
            className={role === 'user' ? 'self-end rounded-xl bg-raised px-3 py-2' : 'min-w-0'}
          >
            {role === 'user' ? (
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{content}</p>
            ) : (
              <Suspense fallback={content}>
                <Markdown text={content} />
              </Suspense>
            )}
            {events.length > 0 && <Trace events={events} />}
          </div>
        ))}
      </div>
      {running && turns.at(-1)?.content === '' && <Waiting />}
      <ProblemNote error={error} />
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (running) running.abort();
          else void send();
        }}
      >
        <textarea
          className="field min-h-12"
          rows={2}
          aria-label={t('applications.question')}
          placeholder={t('applications.question')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (!running) void send();
          }}
        />
        <Button type="submit" look="main">
          {running ? t('applications.stop') : t('applications.send')}
        </Button>
      </form>
    </section>
  );
}

/** Shown while a model is silent. Only the person can decide whether it is slow or dead. */
function Waiting() {
  const t = useT();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="text-sm text-muted">
      {t(isLong ? 'applications.stillWaiting' : 'applications.waiting')}
    </p>
  );
}
