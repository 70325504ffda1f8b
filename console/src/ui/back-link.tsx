import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';

/** Above the title of a page: the list that it belongs to. */
export function BackLink({ to, children }: { to: LinkProps['to']; children: ReactNode }) {
  return (
    <p className="mb-2 text-sm">
      <Link to={to} className="inline-flex items-center gap-1 text-muted hover:text-accent">
        <ChevronLeft aria-hidden className="size-4" />
        {children}
      </Link>
    </p>
  );
}
