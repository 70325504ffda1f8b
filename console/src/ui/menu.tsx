import { type ReactNode, useEffect, useRef } from 'react';

/** A button with a panel below it, which Escape and a press anywhere else close. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, []);
  return (
    <details
      ref={menu}
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        event.stopPropagation();
        menu.current.open = false;
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary className="inline-flex min-h-9 cursor-pointer items-center rounded-lg border border-line bg-panel px-3 text-sm">
        {label}
      </summary>
      <div className="absolute end-0 z-10 mt-1 flex w-64 flex-col gap-2 rounded-lg border border-line bg-panel p-3 max-sm:start-0">
        {children}
      </div>
    </details>
  );
}
