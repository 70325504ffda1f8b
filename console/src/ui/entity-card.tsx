import { Link, type LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '../texts/i18n.ts';
import { ActionsMenu, type MenuAction } from './actions-menu.tsx';

/** A list of cards, in as many columns as there is room for. */
export function EntityCards({ children }: { children: ReactNode }) {
  return <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-3">{children}</ul>;
}

/** Something that the workspace has made. A press anywhere on the card opens it, except on its menu. */
export function EntityCard({
  icon: Icon,
  name,
  description,
  link,
  actions,
  children,
}: {
  icon: LucideIcon;
  name: string;
  description: string;
  link: Pick<LinkProps, 'to' | 'params'>;
  actions: readonly MenuAction[];
  /** The line below: its kind, its state, its age. */
  children: ReactNode;
}) {
  const t = useT();
  return (
    <li className="card relative flex flex-col gap-2 transition-[border-color] hover:border-accent">
      <div className="flex items-start gap-3">
        <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-raised text-accent">
          <Icon aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 flex-1 self-center">
          <Link {...link} className="line-clamp-2 font-semibold after:absolute after:inset-0 [overflow-wrap:anywhere]">
            {name}
          </Link>
        </div>
        <div className="relative -me-1">
          <ActionsMenu label={t('common.actionsOn', { name })} actions={actions} />
        </div>
      </div>
      {description !== '' && <p className="line-clamp-2 text-sm text-muted [overflow-wrap:anywhere]">{description}</p>}
      <p className="mt-auto flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">{children}</p>
    </li>
  );
}
