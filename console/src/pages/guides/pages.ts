import type { Language } from '../../texts/i18n.ts';

/** Before the path of a guide: its English text, which a translation may refer to. */
export const ENGLISH = 'en/';
const FOLDER = '../../../../docs/';
const PAGES = import.meta.glob<string>('../../../../docs/**/*.md', { query: '?raw', import: 'default' });

export const hasGuide = (path: string): boolean => PAGES[FOLDER + path] !== undefined;
export const isTranslated = (page: string, language: Language): boolean =>
  language === 'en' || hasGuide(`${language}/${page}`);

/** The text of a guide, in English where there is no translation; null where there is no guide. */
export async function guideText(page: string, language: Language): Promise<string | null> {
  const own = language === 'en' ? undefined : PAGES[`${FOLDER}${language}/${page}`];
  return (await (own ?? PAGES[FOLDER + page])?.()) ?? null;
}
