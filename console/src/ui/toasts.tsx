import { Link, type LinkProps } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useT } from '../texts/i18n.ts';
import { Button } from './controls.tsx';

export interface Toast {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  /** Where the work that has ended can be seen. */
  readonly link?: { readonly text: string } & Pick<LinkProps, 'to' | 'params' | 'search'>;
}

/** Time enough to read one and to reach its link. */
const SHOWN_MS = 12_000;
const MAX_SHOWN = 3;

let shown: readonly Toast[] = [];
const listeners = new Set<() => void>();

/** Says on any page that work which was started on another one has ended. */
export function showToast(toast: Toast): void {
  change([...shown, toast].slice(-MAX_SHOWN));
  setTimeout(() => hide(toast), SHOWN_MS);
}

function hide(toast: Toast): void {
  change(shown.filter((each) => each !== toast));
}

function change(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const LOOKS = { good: 'border-line bg-panel', bad: 'border-transparent bg-bad-back text-bad' } as const;

export function Toasts() {
  const t = useT();
  const toasts = useSyncExternalStore(onChange, () => shown);
  return (
    <section
      aria-label={t('common.notices')}
      aria-live="polite"
      className="fixed end-4 bottom-4 z-20 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
    >
      {toasts.map((toast, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: two toasts may say the same.
          key={at}
          className={`flex items-center gap-2 rounded-lg border px-3 py-2 text-sm shadow-lg ${LOOKS[toast.tone]}`}
        >
          <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">{toast.text}</p>
          {toast.link && (
            <Link {...toast.link} className="whitespace-nowrap underline" onClick={() => hide(toast)}>
              {toast.link.text}
            </Link>
          )}
          <Button look="quiet" aria-label={t('common.close')} onClick={() => hide(toast)}>
            ✕
          </Button>
        </div>
      ))}
    </section>
  );
}
