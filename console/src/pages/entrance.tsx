import type { ReactNode } from 'react';
import { SettingsControls } from '../app/settings-controls.tsx';

/** Pages before the login. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-4 p-4">
      <p className="text-muted">Tripod</p>
      <h1 className="text-2xl font-bold">{title}</h1>
      <div className="card">{children}</div>
      <SettingsControls />
    </main>
  );
}
