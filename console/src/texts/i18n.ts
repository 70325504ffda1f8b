import i18next, { type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { en } from './en.ts';

type Same<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Same<T[Key]> };
export type Texts = Same<typeof en>;
export type Language = 'ko' | 'en';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Texts };
  }
}

const STORED = 'tripod-language';

/** Korean where the browser speaks it; a choice of the person's own comes before. */
function preferredLanguage(): Language {
  const chosen = localStorage.getItem(STORED);
  if (chosen === 'ko' || chosen === 'en') return chosen;
  const known = navigator.languages
    .map((language) => language.slice(0, 2))
    .find((each) => each === 'ko' || each === 'en');
  return known === 'ko' ? 'ko' : 'en';
}

export async function startTexts(): Promise<void> {
  await i18next.init({ resources: {}, interpolation: { escapeValue: false }, returnNull: false });
  await speak(preferredLanguage());
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await speak(language);
}

async function speak(language: Language): Promise<void> {
  const texts = language === 'ko' ? (await import('./ko.ts')).ko : (await import('./en.ts')).en;
  i18next.addResourceBundle(language, 'translation', texts, true, true);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

export function useT(): TFunction {
  useLanguage();
  return i18next.t;
}

export function useLanguage(): Language {
  return useSyncExternalStore(onChange, () => i18next.language as Language);
}

function onChange(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

/** Numbers, amounts and times as the language writes them. */
export const number = (value: number): string => value.toLocaleString(i18next.language);
export const won = (value: number): string => `₩${number(value)}`;
export const time = (iso: string): string =>
  new Date(iso).toLocaleString(i18next.language, { dateStyle: 'medium', timeStyle: 'short' });
