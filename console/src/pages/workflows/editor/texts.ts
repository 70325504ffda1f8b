import { useLanguage } from '../../../texts/i18n.ts';
import { type EditorTexts, editorEn } from './texts-en.ts';
import { editorKo } from './texts-ko.ts';

/** Texts of the editor, which are not part of the console's first load. */
export function useTexts(): EditorTexts {
  return useLanguage() === 'ko' ? editorKo : editorEn;
}

/** The text of a name that may be an author's own. */
export function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(texts, name) ? texts[name]! : name;
}
