/**
 * Recall of searches without a model in 51 and 107 pages that share their headings: the Korean reference of React.
 *
 *     npm run bench sister-pages -- --folder <clone>/src/content/reference
 *
 * bench/knowledge/sister-pages.json names the repository and the commit, and has 96 questions, written before anything was tuned on them.
 * Every third one may serve for tuning; the other 64 never do. A hit is a passage of the right page with the phrase that answers the
 * question. The same run compares search with BM25 over words between blanks, over its own terms as they are
 * spelled, and with search as it is without meaning.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MEANING_FILE } from '../functions/adapters/knowledge/meaning-file.ts';
import type { KnowledgeHit } from '../functions/knowledge/domain/knowledge-search.ts';
import { COMPARED_HITS, rankByMeaning } from '../functions/knowledge/domain/meaning/rank-by-meaning.ts';
import { SubwordVectors } from '../functions/knowledge/domain/meaning/subword-vectors.ts';
import { type Passage, passagesOf } from '../functions/knowledge/domain/passages.ts';
import { rankByTerms } from '../functions/knowledge/domain/rank.ts';
import { encodeSegment, Segment } from '../functions/knowledge/domain/segment.ts';
import { eachTerm } from '../functions/knowledge/domain/terms.ts';
import { markdownBlocks } from '../functions/knowledge/domain/text-blocks.ts';
import sisterPages from './knowledge/sister-pages.json' with { type: 'json' };
import { WordBm25 } from './knowledge/word-bm25.ts';

const SIZES = [51, 107];
const FIRST = 5;
const TUNED_EVERY = 3;

interface Page {
  readonly name: string;
  readonly title: string;
  readonly passages: readonly Passage[];
}

interface Found {
  readonly page: string;
  readonly text: string;
}

type Search = (question: string) => readonly Found[];

const { values } = parseArgs({ options: { folder: { type: 'string' } } });
const { questions, repository, commit } = sisterPages;
const vectors = new SubwordVectors(readFileSync(MEANING_FILE));
const answering = [...new Set(questions.map(({ document }) => document))];
const { folder } = values;
if (folder === undefined || answering.some((name) => !existsSync(join(folder, name)))) {
  console.error(`--folder names ${sisterPages.folder} of a clone of ${repository} at ${commit}.`);
  process.exit(1);
}

function pageOf(root: string, name: string): Page {
  const text = readFileSync(join(root, name), 'utf8');
  const title = /^title:\s*"?(.*?)"?\s*$/m.exec(text)?.[1] ?? name;
  return { name, title, passages: [...passagesOf(markdownBlocks(text))] };
}

/** The pages that answer questions, and others from all parts of the folder. */
function chosenPages(root: string, count: number): readonly Page[] {
  const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !answering.includes(name))
    .sort();
  const added = count - answering.length;
  const spread = Array.from({ length: added }, (_, i) => others[Math.floor((i * others.length) / added)]!);
  return [...answering, ...spread].map((name) => pageOf(root, name));
}

function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => terms.push(String(term)));
  return terms;
}

function searchesOf(pages: readonly Page[]): Readonly<Record<string, Search>> {
  const documents = pages.map(({ title, passages }, index) => ({ documentId: String(index), title, passages }));
  const view = { baseId: 'b', segments: [new Segment(encodeSegment(documents))], removed: new Set<string>() };
  const passages = pages.flatMap(({ name, title, passages: own }) =>
    own.map(({ heading, text }) => ({ page: name, title, heading, text })),
  );
  const texts = passages.map(({ title, heading, text }) => [title, ...heading, text].join('\n'));
  const baseline =
    (bm25: WordBm25): Search =>
    (question) =>
      bm25.search(question, FIRST).map((at) => passages[at]!);
  const found = ({ documentId, text }: KnowledgeHit): Found => ({ page: pages[Number(documentId)]!.name, text });
  return {
    'words between blanks': baseline(new WordBm25(texts)),
    'terms as spelled': baseline(new WordBm25(texts, termsOf)),
    'terms by spelling': (question) => rankByTerms(question, [view], FIRST).map(found),
    search: (question) =>
      rankByMeaning(question, rankByTerms(question, [view], COMPARED_HITS), vectors)
        .slice(0, FIRST)
        .map(found),
  };
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

function recallOf(search: Search, asked: typeof questions): string {
  const places = asked.map(({ document, phrase, question }) =>
    search(question).findIndex(({ page, text }) => page === document && inOneLine(text).includes(phrase)),
  );
  const within = places.filter((place) => place >= 0).length;
  const first = places.filter((place) => place === 0).length;
  return `${within} of ${asked.length} (first place ${first})`;
}

const isTuned = (index: number): boolean => index % TUNED_EVERY === 0;
const halves = {
  'for tuning': questions.filter((_, index) => isTuned(index)),
  'never tuned on': questions.filter((_, index) => !isTuned(index)),
};
for (const size of SIZES) {
  const pages = chosenPages(folder, size);
  const passages = pages.reduce((sum, page) => sum + page.passages.length, 0);
  console.log(`${size} documents, ${passages} passages, recall@${FIRST}:`);
  for (const [name, search] of Object.entries(searchesOf(pages)))
    for (const [half, asked] of Object.entries(halves))
      console.log(`  ${name.padEnd(21)} ${half.padEnd(15)} ${recallOf(search, asked)}`);
}
