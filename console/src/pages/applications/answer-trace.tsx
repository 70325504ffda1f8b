import { BookOpen, Brain, CirclePlay, type LucideIcon, RotateCw, Wrench } from 'lucide-react';
import { useState } from 'react';
import { number, useT } from '../../texts/i18n.ts';
import { Badge, Button, Dialog, Scroll } from '../../ui/controls.tsx';
import { type Source, type Step, type StepKind, sourcesOf, stepsOf, type TimedEvent } from './trace.ts';

const ICONS: Readonly<Record<StepKind, LucideIcon>> = {
  node: CirclePlay,
  tool: Wrench,
  knowledge: BookOpen,
  thought: Brain,
  retry: RotateCw,
};
const TONES = { running: 'warn', waiting: 'warn', succeeded: 'good', failed: 'bad', cancelled: 'plain' } as const;

/** Steps of an answer with their durations, and its sources. */
export function Trace({ events }: { events: readonly TimedEvent[] }) {
  const t = useT();
  const [showsSources, setShowsSources] = useState(false);
  const steps = stepsOf(events);
  const sources = sourcesOf(events);
  return (
    <div className="mt-1 flex flex-col gap-1 text-sm">
      {sources.length > 0 && (
        <Button look="quiet" className="self-start" aria-haspopup="dialog" onClick={() => setShowsSources(true)}>
          {t('applications.sources', { count: sources.length })}
        </Button>
      )}
      {steps.length > 0 && (
        <details>
          <summary className="cursor-pointer text-muted">{t('applications.trace', { count: steps.length })}</summary>
          <Steps steps={steps} />
        </details>
      )}
      {showsSources && <Sources sources={sources} onClose={() => setShowsSources(false)} />}
    </div>
  );
}

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="mt-1 flex flex-col gap-1 border-s border-line ps-3">
      {steps.map((step) => (
        <li key={step.key} className="[contain-intrinsic-size:auto_2rem] [content-visibility:auto]">
          <StepLine step={step} />
        </li>
      ))}
    </ol>
  );
}

function StepLine({ step: { kind, name, status, elapsedMs, details, children } }: { step: Step }) {
  const t = useT();
  const Icon = ICONS[kind];
  return (
    <>
      <details>
        <summary className="cursor-pointer rounded px-1 hover:bg-raised">
          <Icon aria-hidden="true" className="me-1 inline size-4 text-accent" />
          <span className="text-muted">{t(`applications.step.${kind}`)}</span>{' '}
          <span className="[overflow-wrap:anywhere]">{name}</span>{' '}
          {status !== 'succeeded' && <Badge tone={TONES[status]}>{t(`workflows.status.${status}`)}</Badge>}{' '}
          {elapsedMs !== null && (
            <span className="text-muted">{t('applications.took', { ms: number(elapsedMs) })}</span>
          )}
        </summary>
        <Scroll label={name}>
          <pre className="max-h-60 overflow-y-auto rounded bg-raised p-2 font-mono text-xs">
            {JSON.stringify(details, null, 2)}
          </pre>
        </Scroll>
      </details>
      {children.length > 0 && <Steps steps={children} />}
    </>
  );
}

function Sources({ sources, onClose }: { sources: readonly Source[]; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('applications.sourcesTitle')} onClose={onClose}>
      <ol className="flex max-h-[60dvh] list-decimal flex-col gap-3 overflow-y-auto ps-6">
        {sources.map(({ source, snippet, score }) => (
          <li key={`${source} ${snippet}`}>
            <p className="font-semibold [overflow-wrap:anywhere]">
              {source} {score !== null && <span className="font-normal text-muted">· {score.toFixed(2)}</span>}
            </p>
            <p className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">{snippet}</p>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
