import type { RunRefused } from './domain/run/run-refused.ts';
import { PAGE_HEADERS, type PageLanguage, refusalPage } from './form-page.ts';
import { toProblem } from './http-errors.ts';

export function pageReply(status: number, text: string) {
  return { status, text, headers: PAGE_HEADERS };
}

/** The page for a link that opens no form. @throws the refusal where it is not about the link */
export function refusedReply(error: RunRefused, language: PageLanguage) {
  const text = refusalPage(error.refusal, language);
  if (text === null) throw error;
  return pageReply(toProblem(error)?.status ?? 409, text);
}
