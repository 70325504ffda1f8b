import { Composer, type Document, type ErrorCode, Lexer, Parser, parseDocument } from 'yaml';
import type { Json } from '../../workflows/domain/graph/graph.ts';
import { WorkflowRefused } from '../../workflows/domain/workflow-refused.ts';

/** Aliases of aliases would make a small text a huge value. */
const MAX_ALIASES = 50;
const TOO_DEEP = 'its values nest too deeply.';
const ADVICE: Partial<Record<ErrorCode, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  MULTIPLE_DOCS: 'it holds several documents. Send one at a time.',
  DUPLICATE_KEY: 'a mapping has a key twice. Remove one of them',
  TAG_RESOLVE_FAILED: 'it has a tag, which starts with "!". Remove it: values are texts, numbers, lists and mappings',
};

const OPTIONS = { schema: 'core', merge: true } as const;

/** The value that a YAML text describes. @throws WorkflowRefused 'invalid_dsl' */
export function parseYaml(text: string): Json {
  try {
    const document = parseDocument(text, OPTIONS);
    const [fault] = faultsOf(document);
    const sound = fault ? withLooseQuotes(text) : document;
    if (!fault || sound) return sound?.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
    const line = fault.linePos?.[0].line;
    const advice = ADVICE[fault.code] ?? fault.message.split('\n')[0];
    throw invalid(advice + (line === undefined || !(fault.code in ADVICE) ? '' : ` (line ${line})`));
  } catch (error) {
    if (error instanceof WorkflowRefused) throw error;
    if (error instanceof RangeError) throw invalid(TOO_DEEP);
    if (/alias/i.test((error as Error).message)) throw invalid('its aliases refer to one another too often.');
    throw invalid((error as Error).message.split('\n')[0] ?? '');
  }
}

function faultsOf({ errors, warnings }: Pick<Document, 'errors' | 'warnings'>) {
  return [...errors, ...warnings];
}

/** The document where it is faultless for PyYAML, which reads the files for Dify: further lines of a quoted text have any indentation there. */
function withLooseQuotes(text: string): Document | null {
  const parser = new Parser();
  function* tokens() {
    for (const lexeme of looseLexer().lex(text)) yield* parser.next(lexeme);
    yield* parser.end();
  }
  const [document, ...others] = [...new Composer(OPTIONS).compose(tokens(), true, text.length)] as Document[];
  return document && others.length === 0 && faultsOf(document).length === 0 ? document : null;
}

/** The part of the lexer that reads a quoted text; `indentNext` is the least indentation of its further lines. */
interface QuoteLexer {
  indentNext: number;
  parseQuotedScalar(): Generator<string, string>;
}

function looseLexer(): Lexer {
  const lexer = new Lexer();
  const inner = lexer as unknown as QuoteLexer;
  const parse = inner.parseQuotedScalar.bind(inner);
  inner.parseQuotedScalar = function* () {
    const { indentNext } = inner;
    inner.indentNext = 0;
    try {
      return yield* parse();
    } finally {
      inner.indentNext = indentNext;
    }
  };
  return lexer;
}

function invalid(reason: string): WorkflowRefused {
  return new WorkflowRefused('invalid_dsl', `The text is not YAML that can be imported: ${reason}`);
}
