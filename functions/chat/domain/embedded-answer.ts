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
  readonly grams: ReadonlySet<string>;
}

const MAX_QUOTES = 3;
/** Beyond so much text the rest is left out: work grows with it. */
const MAX_TEXT_LENGTH = 2_000_000;
/** Of the weight of a question's rarer pairs of characters, so much must be in a quote. */
const MIN_SHARE = 0.25;
const HANGUL = /[가-힣]/;

/**
 * An answer that quotes the sentences with most in common with the question, and names their documents. It makes up
 * nothing: without a fitting sentence it says so.
 */
export function extractiveAnswer(messages: readonly ChatMessage[], documents: readonly Document[]): string {
  const question = textOf(messages.findLast(({ role }) => role === 'user') ?? { content: '' });
  const isKorean = HANGUL.test(question);
  if (documents.length === 0)
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
  const asked = gramsOf(question);
  const sentences = documents.flatMap(({ text }, document) =>
    sentencesOf(text.slice(0, MAX_TEXT_LENGTH)).map(
      (sentence, place): Sentence => ({ document, place, text: sentence, grams: gramsOf(sentence) }),
    ),
  );
  const counts = new Map<string, number>();
  for (const { grams } of sentences)
    for (const gram of grams) if (asked.has(gram)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  const weightOf = (gram: string) => Math.log(1 + sentences.length / (1 + (counts.get(gram) ?? 0)));
  const total = [...asked].reduce((sum, gram) => sum + weightOf(gram), 0);
  const scored = sentences.map((sentence) => {
    let weight = 0;
    for (const gram of asked) if (sentence.grams.has(gram)) weight += weightOf(gram);
    return { sentence, share: total === 0 ? 0 : weight / total };
  });
  return scored
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

/** Pairs of neighbouring letters and digits: Korean words change their ends, and have no blanks where others have. */
function gramsOf(text: string): ReadonlySet<string> {
  const grams = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (word.length === 1) grams.add(word);
    for (let i = 0; i + 1 < word.length; i++) grams.add(word.slice(i, i + 2));
  }
  return grams;
}
