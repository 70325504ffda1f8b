import { useSyncExternalStore } from 'react';

const STORED = 'tripod-theme';
const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const listeners = new Set<() => void>();

export function storedTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** The chosen theme, also when another component changes it. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, storedTheme);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
