import type { Language } from '../../../shared/language.ts';
import { ENGLISH_FINDINGS } from './english-findings.ts';
import { codeOf, type StoredFinding } from './finding.ts';
import type { FindingTexts } from './finding-texts.ts';
import { KOREAN_FINDINGS } from './korean-findings.ts';

const CATALOGUE: Readonly<Record<Language, FindingTexts>> = { en: ENGLISH_FINDINGS, ko: KOREAN_FINDINGS };

/** A finding as `review` lists it: its stable code, a colon, and a text in a language. */
export function reviewNote({ kind, parameters }: StoredFinding, language: Language): string {
  const text = CATALOGUE[language][kind] as (parameters: StoredFinding['parameters']) => string;
  return `${codeOf(kind)}: ${text(parameters)}`;
}
