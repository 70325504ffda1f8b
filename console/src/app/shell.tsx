import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { api } from '../api/client.ts';
import { onSessionChange, sessionHasEnded } from '../api/session-cookie.ts';
import { forgetAllUnsaved } from '../pages/workflows/editor/unsaved.ts';
import { useT } from '../texts/i18n.ts';
import { Button, Loading } from '../ui/controls.tsx';
import { Logo } from '../ui/logo.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { LogInAgain } from './log-in-again.tsx';
import { NAVIGATION } from './navigation.ts';
import { NavigationIcon } from './navigation-icon.tsx';
import { useSession } from './session.ts';
import { SettingsControls } from './settings-controls.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** Navigation around every page. */
export function Shell() {
  const t = useT();
  const { workspace, email, role } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [seeks, setSeeks] = useState(false);
  const hasEnded = useSyncExternalStore(onSessionChange, sessionHasEnded);
  useShortcut(() => setSeeks(true));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu that is open on a phone.
    <div
      className="min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]"
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
    >
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:bg-panel focus:p-2">
        {t('common.skip')}
      </a>
      <header className="flex items-center justify-between gap-2 border-b border-line bg-panel p-3 lg:hidden">
        <Brand />
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('common.menu')}
        </Button>
      </header>
      <aside
        aria-label="Tripod"
        className={`${isOpen ? '' : 'max-lg:hidden'} flex flex-col gap-3 border-e border-line bg-panel p-3 lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto`}
      >
        <div className="px-2 max-lg:hidden">
          <Brand />
        </div>
        <Button className="justify-between text-muted" aria-haspopup="dialog" onClick={() => setSeeks(true)}>
          <span className="flex items-center gap-2">
            <Search aria-hidden="true" className="size-4" />
            {t('palette.title')}
          </span>
          <kbd className="text-xs">Ctrl K</kbd>
        </Button>
        <nav aria-label={t('common.menu')} className="flex flex-col gap-1">
          {NAVIGATION.map(({ to, text }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/' }}
              onClick={() => setOpen(false)}
              className="flex items-center gap-2 rounded-lg px-2 py-1.5 hover:bg-raised data-[status=active]:bg-raised data-[status=active]:font-semibold data-[status=active]:text-accent"
            >
              <NavigationIcon to={to} />
              {t(text)}
            </Link>
          ))}
        </nav>
        <div className="mt-auto flex flex-col gap-2 text-sm">
          <SettingsControls />
          <p className="flex items-center gap-2 border-t border-line px-1 pt-3">
            <span
              aria-hidden
              className="flex size-8 shrink-0 items-center justify-center rounded-full bg-raised font-semibold uppercase"
            >
              {email[0]}
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium" title={workspace.name}>
                {workspace.name}
              </span>
              <span className="block truncate text-xs text-muted" title={email}>
                {email}
              </span>
              <span className="block text-xs text-muted">{t(`role.${role}`)}</span>
            </span>
          </p>
          <LogOut />
        </div>
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 p-4 outline-none lg:p-6">
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Toasts />
      {seeks && (
        <Suspense fallback={null}>
          <Palette onClose={() => setSeeks(false)} />
        </Suspense>
      )}
      {hasEnded && <LogInAgain email={email} />}
    </div>
  );
}

function Brand() {
  return (
    <span className="flex items-center gap-2 text-lg font-bold">
      <Logo />
      Tripod
    </span>
  );
}

/** Listens for Ctrl-K, and Command-K on a Mac, in the whole window. */
function useShortcut(onPress: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) onPress();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

function LogOut() {
  const t = useT();
  const queries = useQueryClient();
  const router = useRouter();
  const logOut = async () => {
    // Where changes are not saved, this asks first.
    await router.navigate({ to: '/' });
    if (router.state.location.pathname !== '/') return;
    forgetAllUnsaved();
    await api.POST('/api/v1/auth/logout');
    await router.navigate({ to: '/login', search: {} });
    queries.clear();
  };
  return <Button onClick={() => void logOut()}>{t('login.logOut')}</Button>;
}
