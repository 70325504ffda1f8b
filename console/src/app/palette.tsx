import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { useT } from '../texts/i18n.ts';
import { Dialog } from '../ui/controls.tsx';
import { NAVIGATION } from './navigation.ts';

interface Destination {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
}

const MAX_SHOWN = 12;

/** Opens a page, an application, a workflow or a knowledge base by a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useT();
  const id = useId();
  const navigate = useNavigate();
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  // The dialog focuses its first button.
  useEffect(() => field.current?.focus(), []);
  const found = matching(useDestinations(), sought).slice(0, MAX_SHOWN);
  const chosen = Math.min(at, found.length - 1);
  const open = (destination: Destination | undefined) => {
    if (destination === undefined) return;
    onClose();
    void navigate({ to: destination.path });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') open(found[chosen]);
    else if (step !== 0 && found.length > 0) setAt((chosen + step + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <input
        ref={field}
        className="field"
        role="combobox"
        aria-label={t('palette.find')}
        aria-expanded={true}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={t('palette.find')}
        value={sought}
        onChange={({ target }) => {
          setSought(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.title')} className="mt-2 flex flex-col">
        {found.map(({ path, name, kind }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has the focus and its keys.
          <div
            key={path}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={`flex cursor-pointer justify-between gap-3 rounded-lg px-3 py-2 ${index === chosen ? 'bg-raised' : ''}`}
            onClick={() => open(found[index])}
            onPointerMove={() => setAt(index)}
          >
            <span className="[overflow-wrap:anywhere]">{name}</span>
            <span className="shrink-0 text-sm text-muted">{kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="p-3 text-muted">
          {t('palette.none')}
        </p>
      )}
    </Dialog>
  );
}

function matching(all: readonly Destination[], sought: string): readonly Destination[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ name, kind }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)));
}

/** Pages, and what the workspace has made. Lists that a role may not read are left out. */
function useDestinations(): readonly Destination[] {
  const t = useT();
  const query = { limit: 100 } as const;
  const made = useQueries({
    queries: [
      {
        queryKey: ['palette', 'applications'],
        queryFn: async () => (await dataOf(api.GET('/api/v1/applications', { params: { query } }))).data.applications,
      },
      {
        queryKey: ['palette', 'workflows'],
        queryFn: async () => (await dataOf(api.GET('/api/v1/workflows', { params: { query } }))).data.workflows,
      },
      {
        queryKey: ['palette', 'knowledge'],
        queryFn: async () =>
          (await dataOf(api.GET('/api/v1/knowledge-bases', { params: { query } }))).data.knowledge_bases,
      },
    ],
  });
  const folders = ['applications', 'workflows', 'knowledge'] as const;
  return [
    ...NAVIGATION.map(({ to, text }) => ({ path: to, name: t(text), kind: t('palette.page') })),
    { path: '/workflows/waiting', name: t('waiting.title'), kind: t('palette.page') },
    ...folders.flatMap((folder, index) =>
      (made[index]?.data ?? []).map(({ id, name }) => ({
        path: `/${folder}/${id}`,
        name,
        kind: t(`nav.${folder}`),
      })),
    ),
  ];
}
