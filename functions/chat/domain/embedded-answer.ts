import { eachTerm, questionTerms, type Term } from '../../knowledge/domain/terms.ts';
import type { ChatMessage } from './messages.ts';
import { textOf } from './messages.ts';

/** A text that answers may quote. */
export interface Document {
  readonly title: string;
  readonly text: string;
}

interface Sentence {
  readonly document: number;
  readonly place: number;
  readonly text: string;
  readonly terms: ReadonlySet<Term>;
}

const MAX_QUOTES = 3;
/** Beyond so much text the rest is left out: work grows with it. */
const MAX_TEXT_LENGTH = 2_000_000;
/** Of the weight of a question's rarer terms, so much must be in a quote. */
const MIN_SHARE = 0.25;
const HANGUL = /[가-힣]/;

/**
 * An answer that quotes the sentences with most in common with the question, and names their documents. It makes up
 * nothing: without a fitting sentence it says so.
 * @param hasKnowledge true when there are documents elsewhere that were searched for the question.
 */
export function extractiveAnswer(
  messages: readonly ChatMessage[],
  documents: readonly Document[],
  { hasKnowledge = false }: { readonly hasKnowledge?: boolean } = {},
): string {
  const question = textOf(messages.findLast(({ role }) => role === 'user') ?? { content: '' });
  const isKorean = HANGUL.test(question);
  if (documents.length === 0 && !hasKnowledge)
    return isKorean
      ? '답변에 인용할 문서가 없습니다. 텍스트 파일을 첨부하거나 애플리케이션에 언어 모델을 연결해 주세요.'
      : 'I have no documents to answer from. Attach a text file, or connect the application to a language model.';
  const quotes = bestSentences(question, documents);
  if (quotes.length === 0)
    return isKorean
      ? '문서에서 이 질문에 대한 내용을 찾지 못했습니다.'
      : 'The documents say nothing about this that I could find.';
  return quotes.map(({ text, document }) => `${text} [${documents[document]!.title}]`).join('\n');
}

function bestSentences(question: string, documents: readonly Document[]): readonly Sentence[] {
  const asked = questionTerms(question);
  const sentences = documents.flatMap(({ text }, document) =>
    sentencesOf(text.slice(0, MAX_TEXT_LENGTH)).map((sentence, place): Sentence => {
      const terms = new Set<Term>();
      eachTerm(sentence, (term) => {
        if (asked.has(term)) terms.add(term);
      });
      return { document, place, text: sentence, terms };
    }),
  );
  const counts = new Map<Term, number>();
  for (const { terms } of sentences) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weightOf = (term: Term) =>
    (asked.get(term) ?? 0) * Math.log(1 + sentences.length / (1 + (counts.get(term) ?? 0)));
  const sum = (terms: Iterable<Term>) => [...terms].reduce((weight, term) => weight + weightOf(term), 0);
  const total = sum(asked.keys());
  return sentences
    .map((sentence) => ({ sentence, share: total === 0 ? 0 : sum(sentence.terms) / total }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_QUOTES)
    .map(({ sentence }) => sentence)
    .sort((a, b) => a.document - b.document || a.place - b.place);
}

function sentencesOf(text: string): string[] {
  return text
    .split(/[\n\r]+|(?<=[.!?。])\s/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
