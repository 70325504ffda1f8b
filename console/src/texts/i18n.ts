import i18next, { type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import { en } from './en.ts';
import { ko } from './ko.ts';
import type { Texts } from './texts.ts';

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

/** Both languages are part of the first load: a file of its own would cost a phone one more round trip. */
export function startTexts(): void {
  void i18next.init({
    resources: { en: { translation: en }, ko: { translation: ko } },
    lng: preferredLanguage(),
    initAsync: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = i18next.language;
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORED, language);
  void i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Of the page at the moment, for code outside of components. */
export const language = (): Language => i18next.language as Language;

export function useT(): TFunction {
  useLanguage();
  return i18next.t;
}

export function useLanguage(): Language {
  return useSyncExternalStore(onChange, language);
}

function onChange(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

/** Numbers, amounts and times as the language writes them. */
export const number = (value: number): string => formats().number.format(value);
/** A number with all of its digits: a dose may be 0.3333. */
export const exact = (value: number): string => formats().exact.format(value);
export const won = (krw: number): string => `${krw < 0 ? '-' : ''}₩${number(Math.abs(krw))}`;
/** @param iso a date without a time */
export const day = (iso: string): string => formats().day.format(new Date(`${iso}T00:00:00`));
export const time = (iso: string): string => formats().time.format(new Date(iso));

type Formats = Readonly<{
  number: Intl.NumberFormat;
  exact: Intl.NumberFormat;
  day: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
}>;
const made = new Map<string, Formats>();

/** Made once a language: it takes as long as drawing a row of a list. */
function formats(): Formats {
  const { language } = i18next;
  const known = made.get(language) ?? {
    number: new Intl.NumberFormat(language),
    exact: new Intl.NumberFormat(language, { maximumFractionDigits: 10 }),
    day: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }),
    time: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
  };
  made.set(language, known);
  return known;
}
