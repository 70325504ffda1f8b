import type { Language } from '../shared/language.ts';
import type { ExtractionResult, Item, JudgedPage } from './domain/extraction.ts';
import { codeOf } from './domain/judging/finding.ts';
import { reviewNote } from './domain/judging/review-notes.ts';

/** The lines of a page with their notes in a language; those of earlier releases are in English. */
export function toItemResponses({ items, findings }: Pick<JudgedPage, 'items' | 'findings'>, language: Language) {
  if (language === 'en' || findings === undefined) return items;
  return items.map((item, index): Item => {
    const review = findings[index]?.map((finding) => reviewNote(finding, language)) ?? item.review;
    return { ...item, review };
  });
}

/** The body of a single call: its members are those of the contract, without the findings. */
export function toResultResponse({ findings, ...result }: ExtractionResult, language: Language) {
  return { ...result, items: toItemResponses({ items: result.items, ...(findings && { findings }) }, language) };
}

/** The findings of each line as data; null where they are unknown. */
export function toFindingResponses({ findings }: Pick<JudgedPage, 'findings'>) {
  return (
    findings?.map((line) => line.map(({ kind, parameters }) => ({ code: codeOf(kind), kind, parameters }))) ?? null
  );
}
