import type {
  ComponentProps,
  InputHTMLAttributes,
  ReactNode,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react';
import { useEffect, useId, useRef } from 'react';
import { useT } from '../texts/i18n.ts';

type Look = 'main' | 'plain' | 'danger' | 'quiet';

const LOOKS: Readonly<Record<Look, string>> = {
  main: 'bg-accent text-on-accent border-transparent font-semibold',
  plain: 'bg-panel text-ink border-line',
  danger: 'bg-bad-back text-bad border-transparent font-semibold',
  quiet: 'bg-transparent text-accent border-transparent',
};

export function buttonClass(look: Look = 'plain'): string {
  return `inline-flex min-h-9 items-center justify-center gap-2 whitespace-nowrap rounded-lg border px-3 py-1.5 text-sm disabled:opacity-60 ${LOOKS[look]}`;
}

export function Button({
  look = 'plain',
  className = '',
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { look?: Look }) {
  return <button type={type} className={`${buttonClass(look)} ${className}`} {...rest} />;
}

/** A label, its control, and its error or hint. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }) => ReactNode;
}) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, ...(note && { 'aria-describedby': `${id}-note` }), ...(error && { 'aria-invalid': true }) })}
      {note && (
        <p id={`${id}-note`} className={`text-sm ${error ? 'text-bad' : 'text-muted'}`}>
          {note}
        </p>
      )}
    </div>
  );
}

type FieldProps = { label: string; hint?: ReactNode; error?: string };

export function TextField({ label, hint, error, ...rest }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <input className="field" {...rest} {...attributes} />}
    </Field>
  );
}

export function TextArea({ label, hint, error, ...rest }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <textarea className="field" {...rest} {...attributes} />}
    </Field>
  );
}

export function Select({ label, hint, error, ...rest }: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <select className="field" {...rest} {...attributes} />}
    </Field>
  );
}

type Tone = 'good' | 'warn' | 'bad' | 'plain';
const TONES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-back text-good',
  warn: 'bg-warn-back text-warn',
  bad: 'bg-bad-back text-bad',
  plain: 'bg-raised text-ink',
};

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`inline-block rounded-md px-2 py-0.5 text-xs font-semibold whitespace-nowrap ${TONES[tone]}`}>
      {children}
    </span>
  );
}

export function Note({
  tone = 'plain',
  children,
  role,
}: {
  tone?: Tone;
  children: ReactNode;
  role?: 'alert' | 'status';
}) {
  return (
    <div role={role} className={`rounded-lg px-3 py-2 text-sm ${TONES[tone]}`}>
      {children}
    </div>
  );
}

/** The heading of a page, what the page is for, and what can be done on it as a whole. */
export function PageTitle({ children, about, actions }: { children: ReactNode; about?: string; actions?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h1 className="text-xl font-bold">{children}</h1>
        {about && <p className="mt-1 max-w-3xl text-sm text-muted">{about}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}

export function Loading() {
  const t = useT();
  return (
    <p role="status" className="p-4 text-muted">
      {t('common.loading')}
    </p>
  );
}

/** Scrolls by itself, so that a wide table never widens the page; reachable by keyboard. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto">
      {children}
    </section>
  );
}

/** The browser's own dialog: it keeps the focus and closes with Escape by itself. */
export function Dialog({
  title,
  width = 'narrow',
  onClose,
  children,
}: {
  title: string;
  /** wide: for texts to read. */
  width?: 'narrow' | 'wide';
  /** Absent: it cannot be closed. */
  onClose?: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const t = useT();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={`${width === 'wide' ? 'w-[min(52rem,calc(100vw-2rem))]' : 'w-[min(32rem,calc(100vw-2rem))]'} rounded-xl border border-line bg-panel p-5 text-ink`}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div className="mb-3 flex items-center justify-between gap-2">
        <h2 id={id} className="min-w-0 text-lg font-bold [overflow-wrap:anywhere]">
          {title}
        </h2>
        {onClose && (
          <Button look="quiet" aria-label={t('common.close')} onClick={onClose}>
            ✕
          </Button>
        )}
      </div>
      {children}
    </dialog>
  );
}
