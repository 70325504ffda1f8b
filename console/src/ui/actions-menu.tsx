import { Ellipsis, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { ConfirmDialog } from './confirm.tsx';
import { Button } from './controls.tsx';

export interface MenuAction {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onSelect: () => void;
  /** Asked first, for what cannot be undone. */
  readonly question?: string;
}

const WIDTH = 192;
const GAP = 4;

/**
 * A menu of actions on one thing, as the ARIA practices describe it: arrows, Home and End move, a letter finds. It is the browser's own popover:
 * no table clips it, and Escape and a press elsewhere close it. Shows nothing without actions.
 */
export function ActionsMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<MenuAction | null>(null);
  if (actions.length === 0) return null;
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item.matches(':focus'));
    const next = nextItem(event.key, at, all);
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };
  return (
    <>
      <Button
        ref={button}
        look="quiet"
        className="px-2! text-muted hover:bg-raised"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        <Ellipsis aria-hidden className="size-4" />
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="m-0 rounded-lg border border-line bg-panel p-1 text-ink shadow-lg"
        style={{ width: WIDTH }}
        onKeyDown={onKeyDown}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open' && button.current && menu.current)
            place(menu.current, button.current, actions.length);
        }}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {actions.map((action, index) => (
          <button
            key={action.label}
            // The browser's popover gives it the focus at once; React's own autoFocus would take it while the menu is closed.
            ref={(item) => void item?.toggleAttribute('autofocus', index === 0)}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={`flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-start text-sm hover:bg-raised focus:bg-raised ${action.question ? 'text-bad' : ''}`}
            onClick={() => {
              menu.current?.hidePopover();
              if (action.question) setAsked(action);
              else action.onSelect();
            }}
          >
            <action.icon aria-hidden className="size-4 shrink-0" />
            {action.label}
          </button>
        ))}
      </div>
      {asked?.question && (
        <ConfirmDialog
          label={asked.label}
          question={asked.question}
          onConfirm={asked.onSelect}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** @returns undefined: the key moves nowhere. */
function nextItem(key: string, at: number, items: readonly HTMLElement[]): number | undefined {
  const count = items.length;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const order = items.map((_, step) => (at + 1 + step) % count);
  return key.length === 1 && key !== ' '
    ? order.find((each) => items[each]!.innerText.toLowerCase().startsWith(key.toLowerCase()))
    : undefined;
}

/** Below the button, or above it where the window ends; within the window. */
function place(menu: HTMLElement, button: HTMLElement, count: number): void {
  const { right, top, bottom } = button.getBoundingClientRect();
  const height = count * 34 + 10;
  const isBelow = bottom + GAP + height <= innerHeight;
  menu.style.left = `${Math.max(GAP, right - WIDTH)}px`;
  menu.style.top = `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - height)}px`;
}
