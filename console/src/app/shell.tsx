import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { api } from '../api/client.ts';
import { onSessionChange, sessionHasEnded } from '../api/session-cookie.ts';
import { forgetAllUnsaved } from '../pages/workflows/editor/unsaved.ts';
import { useT } from '../texts/i18n.ts';
import { Button, Loading } from '../ui/controls.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { LogInAgain } from './log-in-again.tsx';
import { NAVIGATION } from './navigation.ts';
import { useSession } from './session.ts';
import { SettingsControls } from './settings-controls.tsx';

/** Navigation around every page. */
export function Shell() {
  const t = useT();
  const { workspace, email, role } = useSession();
  const [isOpen, setOpen] = useState(false);
  const hasEnded = useSyncExternalStore(onSessionChange, sessionHasEnded);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:bg-panel focus:p-2">
        {t('common.skip')}
      </a>
      <header className="flex items-center justify-between gap-2 border-b border-line bg-panel p-3 lg:hidden">
        <span className="font-bold">Tripod</span>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('common.menu')}
        </Button>
      </header>
      <div
        className={`${isOpen ? '' : 'max-lg:hidden'} flex flex-col gap-3 border-e border-line bg-panel p-3 lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto`}
      >
        <p className="px-2 font-bold max-lg:hidden">Tripod</p>
        <nav aria-label={t('common.menu')} className="flex flex-col gap-1">
          {NAVIGATION.map(({ to, text }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/' }}
              onClick={() => setOpen(false)}
              className="rounded-lg px-2 py-1.5 hover:bg-raised data-[status=active]:bg-raised data-[status=active]:font-semibold"
            >
              {t(text)}
            </Link>
          ))}
        </nav>
        <div className="mt-auto flex flex-col gap-2 text-sm">
          <SettingsControls />
          <p className="px-2 text-muted [overflow-wrap:anywhere]">
            {workspace.name}
            <br />
            {email} · {t(`role.${role}`)}
          </p>
          <LogOut />
        </div>
      </div>
      <main id="content" className="min-w-0 p-4 lg:p-6">
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Toasts />
      {hasEnded && <LogInAgain email={email} />}
    </div>
  );
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
