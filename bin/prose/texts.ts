/** Finds what people read in a file (comments, sentences in string literals, Markdown) and leaves the code out. */
import { LanguageVariant, SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

/** A piece of prose, as long as its source, so that an offset in `words` plus `start` is one in the file. */
export interface Prose {
  readonly kind: 'comment' | 'string' | 'markdown';
  readonly start: number;
  readonly words: string;
}

/** The prose of a file by its extension; none for a language that the linter does not know. */
export function proseOf(file: string, source: string): readonly Prose[] {
  if (/\.(?:ts|tsx|js)$/.test(file)) return proseOfTypeScript(source, file.endsWith('.tsx'));
  if (/\.[ch]$/.test(file)) return joinLineComments(cComments(source), source);
  if (file.endsWith('.md')) return [{ kind: 'markdown', start: 0, words: withoutMarkdownCode(source) }];
  return [];
}

function proseOfTypeScript(source: string, isTsx: boolean): readonly Prose[] {
  const scanner = createScanner(false, isTsx ? LanguageVariant.JSX : LanguageVariant.Standard, source);
  const comments: Range[] = [];
  const strings: Range[] = [];
  /** Braces open inside each template substitution that is open; the last one is the innermost. */
  const substitutions: number[] = [];
  let previous: SyntaxKind = SyntaxKind.EndOfFile;
  for (;;) {
    let token = scanner.scan();
    if (isDivision(token) && !endsOperand(previous)) token = scanner.reScanSlashToken();
    if (token === SyntaxKind.CloseBraceToken && substitutions.at(-1) === 0) {
      substitutions.pop();
      token = scanner.reScanTemplateToken(false);
    }
    if (token === SyntaxKind.EndOfFile) break;
    if (token === SyntaxKind.TemplateHead || token === SyntaxKind.TemplateMiddle) substitutions.push(0);
    if (token === SyntaxKind.OpenBraceToken) bump(substitutions, 1);
    if (token === SyntaxKind.CloseBraceToken) bump(substitutions, -1);
    const range = { start: scanner.getTokenStart(), end: scanner.getTokenEnd() };
    if (COMMENTS.has(token)) comments.push(range);
    else if (STRINGS.has(token)) strings.push(range);
    const isAssertion = token === SyntaxKind.ExclamationToken && endsOperand(previous);
    if (!TRIVIA.has(token) && !isAssertion) previous = token;
  }
  return [...joinLineComments(comments, source), ...sentences(strings, source)].sort((a, b) => a.start - b.start);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const COMMENTS = new Set<SyntaxKind>([SyntaxKind.SingleLineCommentTrivia, SyntaxKind.MultiLineCommentTrivia]);
const TRIVIA = new Set<SyntaxKind>([...COMMENTS, SyntaxKind.NewLineTrivia, SyntaxKind.WhitespaceTrivia]);
const STRINGS = new Set<SyntaxKind>([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.JsxText,
]);

/** Tokens after which a slash divides; after any other it opens a regular expression. */
const OPERAND_ENDS = new Set<SyntaxKind>([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.LessThanToken,
  SyntaxKind.ThisKeyword,
]);

const isDivision = (token: SyntaxKind) => token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken;

const endsOperand = (token: SyntaxKind) => OPERAND_ENDS.has(token);

function bump(substitutions: number[], by: number): void {
  const last = substitutions.length - 1;
  if (last >= 0) substitutions[last] = substitutions[last]! + by;
}

/** Joins line comments that follow each other, so that a phrase broken over two lines is found. */
function joinLineComments(comments: readonly Range[], source: string): readonly Prose[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of comments) {
    const last = joined.at(-1);
    const isNext = last !== undefined && source.startsWith('//', start) && source.startsWith('//', last.start);
    if (isNext && /^\s*$/.test(source.slice(last.end, start))) last.end = end;
    else joined.push({ start, end });
  }
  return joined.map(({ start, end }) => ({ kind: 'comment', start, words: commentWords(source.slice(start, end)) }));
}

/** The comment with its marks blanked; a doc comment keeps its opening, which patterns may ask for. */
const commentWords = (comment: string) =>
  withoutInlineCode(
    comment
      .replace(/\n\s*(?:\*(?!\/)|\/\/)/g, (mark) => ' '.repeat(mark.length))
      .replace(/@(?:param|property) [\w.]+|@[a-z]+|\{@link [^}]*\}/g, (tag) => 'x'.repeat(tag.length)),
  );

/** String literals with at least three words. Codes, keys and paths have fewer. */
const sentences = (strings: readonly Range[], source: string): readonly Prose[] =>
  strings
    .map(({ start, end }) => ({ kind: 'string' as const, start, words: source.slice(start, end) }))
    .filter(({ words }) => /[a-z,;:]\s+["'“]?[a-z]+[,;:]?\s+["'“]?[a-z]/i.test(words))
    .map((prose) => ({ ...prose, words: withoutInlineCode(prose.words.replace(/\\n/g, '  ')) }));

function cComments(source: string): readonly Range[] {
  const tokens = source.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g);
  return [...tokens]
    .filter(([text]) => text.startsWith('/'))
    .map(({ 0: text, index }) => ({ start: index, end: index + text.length }));
}

const withoutMarkdownCode = (source: string) =>
  withoutInlineCode(
    source
      .replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2/gm, blanked)
      .replace(/<!--[\s\S]*?-->/g, blanked)
      .replace(/\]\([^)\s]*\)/g, blanked),
  );

/** Code in backticks becomes a word of the same length. */
const withoutInlineCode = (text: string) =>
  text.replace(/`[^`\n]*`/g, (code) => (code.length > 2 ? `\`${'x'.repeat(code.length - 2)}\`` : code));

const blanked = (text: string) => text.replace(/[^\n]/g, ' ');
