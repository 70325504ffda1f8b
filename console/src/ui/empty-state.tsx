import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Instead of an empty list: what would be here, and the way to the first one. */
export function EmptyState({ icon: Icon, text, children }: { icon: LucideIcon; text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed border-line px-4 py-12 text-center">
      <span className="flex size-12 items-center justify-center rounded-xl bg-raised text-accent">
        <Icon aria-hidden className="size-6" />
      </span>
      <p className="max-w-md text-muted">{text}</p>
      {children && <div className="flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
