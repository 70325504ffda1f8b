import type { ReactNode } from 'react';

/** A part of a page of settings: what it is on the left, its controls on the right; below each other where there is no room. */
export function SettingsSection({
  title,
  badge,
  text,
  children,
}: {
  title: string;
  badge?: ReactNode;
  text?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      className="card grid gap-4 p-5! lg:grid-cols-[minmax(0,18rem)_minmax(0,40rem)] lg:gap-8"
      aria-label={title}
    >
      <div>
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          {title} {badge}
        </h2>
        {text && <div className="mt-1 text-sm text-muted">{text}</div>}
      </div>
      <div className="flex min-w-0 flex-col gap-3">{children}</div>
    </section>
  );
}
