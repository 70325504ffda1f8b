import { questionTerms, type Term, tellingWords, termsIn } from '../../knowledge/domain/terms.ts';
import type { ChatMessage } from './messages.ts';
import { textOf } from './messages.ts';

/** A text that answers may quote. */
export interface Document {
  readonly title: string;
  readonly text: string;
  /** Of a passage that a search has found: the share of the question's terms that it has, best passage first. */
  readonly termShare?: number;
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
/** A passage with so much of the question's terms answers it. */
const SURE_SHARE = 0.09;
/** So does one with less that has that much more than the next one. */
const LIKELY_SHARE = 0.06;
const LIKELY_LEAD = 1.5;
/** A passage that is nearly as good as the best one is quoted next to it. */
const EQUAL_SHARE = 0.8;
/** A Korean word of three syllables: itself and its two pairs. */
const TERMS_OF_LONG_WORD = 3;
const HANGUL = /[가-힣]/;

/**
 * An answer that quotes the passages that search is sure of, else the sentences with most in common with the question, and names their
 * documents. It makes up nothing: without a fitting passage or sentence it says so.
 * @param searched the question that was asked of documents elsewhere: a short one with that before it.
 */
export function extractiveAnswer(
  messages: readonly ChatMessage[],
  documents: readonly Document[],
  searched?: string,
): string {
  const question = searched || textOf(messages.findLast(({ role }) => role === 'user') ?? { content: '' });
  const isKorean = HANGUL.test(question);
  if (documents.length === 0 && searched === undefined)
    return isKorean
      ? '답변에 인용할 문서가 없습니다. 텍스트 파일을 첨부하거나 애플리케이션에 언어 모델을 연결해 주세요.'
      : 'I have no documents to answer from. Attach a text file, or connect the application to a language model.';
  const sure = surePassages(question, documents);
  if (sure.length > 0) return sure.map(({ text, title }) => `${text} [${title}]`).join('\n\n');
  const quotes = bestSentences(question, documents);
  if (quotes.length === 0)
    return isKorean
      ? '문서에서 이 질문에 대한 내용을 찾지 못했습니다.'
      : 'The documents say nothing about this that I could find.';
  return quotes.map(({ text, document }) => `${text} [${documents[document]!.title}]`).join('\n');
}

/** The passages that are quoted whole: none where files of the conversation are among the documents, or search is not sure. */
function surePassages(question: string, documents: readonly Document[]): readonly Document[] {
  const shares = documents.map(({ termShare }) => termShare ?? Number.NaN);
  if (shares.length === 0 || shares.some(Number.isNaN)) return [];
  const best = Math.max(...shares);
  const next = Math.max(0, ...shares.toSpliced(shares.indexOf(best), 1));
  if (best < SURE_SHARE && (best < LIKELY_SHARE || best < next * LIKELY_LEAD)) return [];
  return documents
    .filter((document, index) => shares[index]! >= best * EQUAL_SHARE && sharesWords(question, document))
    .slice(0, MAX_QUOTES);
}

/** Whether a passage has something of two words of a question, or a long Korean one: one rare word alone is in passages about other things. */
function sharesWords(question: string, { title, text }: Document): boolean {
  const found = termsIn(`${title}\n${text}`, questionTerms(question));
  if (found.size >= TERMS_OF_LONG_WORD) return true;
  const words = tellingWords(question);
  return words.filter((word) => [...word].some((term) => found.has(term))).length >= Math.min(2, words.length);
}

function bestSentences(question: string, documents: readonly Document[]): readonly Sentence[] {
  const asked = questionTerms(question);
  const sentences = documents.flatMap(({ text }, document) =>
    sentencesOf(text.slice(0, MAX_TEXT_LENGTH)).map(
      (sentence, place): Sentence => ({ document, place, text: sentence, terms: termsIn(sentence, asked) }),
    ),
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
