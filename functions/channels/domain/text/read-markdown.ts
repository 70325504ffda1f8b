import type { Definition, Emphasis, Nodes, PhrasingContent, RootContent } from 'mdast';
import { definitionsOf, parseMarkdown, sourceOf } from '../../../shared/markdown/parse-markdown.ts';

/** How a stretch of text is shown. Those of one stretch in Markdown are one object. */
export type Mark =
  /** address: a link whose text is its address. */
  | { readonly kind: 'strong' | 'emphasis' | 'delete' | 'code' | 'address' }
  | { readonly kind: 'link'; readonly url: string };

/** A stretch of text with its marks, the outermost first. */
export interface Run {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** Prefixes of a block's lines: list and quote marks. */
export interface Indent {
  readonly first: string;
  readonly rest: string;
}

/** A paragraph, a heading, a row of a table, or a block of code. Lists and quotes are in the indents of what they hold. */
export type Leaf = {
  readonly indent: Indent;
  /** Whether a blank line precedes it. */
  readonly isApart: boolean;
} & (
  | { readonly kind: 'text'; readonly runs: readonly Run[]; readonly level: number }
  | { readonly kind: 'code'; readonly language: string; readonly lines: readonly string[] }
);

/** Signs of lists that differ among platforms. */
export interface ListSigns {
  readonly bullet: string;
}

/** Deeper than any text that is meant to be read; each level costs time at every line. */
const MAX_DEPTH = 12;
const DEEP = /^(?:[ \t]*(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])){13}/;

/** Addresses that a platform may link to; any other may mean something to it, as `!channel` does to Slack. */
const LINKED = /^(?:https?:\/\/|mailto:|tel:)[^\s<>|]+$/i;

/** Whether a platform that reads Markdown may be sent a text as it is: it has no other links, and no literal star. */
export function isPlainMarkdown(markdown: string): boolean {
  if (!isTame(markdown)) return false;
  const isSafe = (node: Nodes): boolean => {
    if ('url' in node && !LINKED.test(node.url)) return false;
    if (node.type === 'emphasis' && isInsideWord(node, markdown)) return false;
    return !('children' in node) || node.children.every(isSafe);
  };
  return isSafe(parseMarkdown(markdown));
}

const WORD = /[\p{L}\p{N}]/u;

/** Whether stars around a text are between letters or digits: 2정*3회*5일 multiplies. */
function isInsideWord({ position }: Emphasis, source: string): boolean {
  const [from, to] = [position?.start.offset ?? 0, position?.end.offset ?? 0];
  return source[from] === '*' && WORD.test(source.slice(0, from).at(-1) ?? '') && WORD.test(source[to] ?? '');
}

/** The blocks of a Markdown text, one after another. What would take the parser long is a text without marks. */
export function readMarkdown(markdown: string, { bullet }: ListSigns): readonly Leaf[] {
  const indent = { first: '', rest: '' };
  if (!isTame(markdown))
    return [{ kind: 'text', indent, isApart: false, runs: [{ text: markdown, marks: [] }], level: 0 }];
  const root = parseMarkdown(markdown);
  const context = { indent, isTight: false, bullet, source: markdown, definitions: definitionsOf(root) };
  return leavesOf(root.children, context, 0);
}

/** Signs of Markdown in one paragraph: the parser takes a time that grows with their square. */
const MAX_SIGNS = 1_000;

function isTame(markdown: string): boolean {
  let signs = 0;
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    else if (line.trim() === '') signs = 0;
    else if (!isCode) {
      if (DEEP.test(line)) return false;
      signs += line.match(/[*_~[\]<>`!|\\&]/g)?.length ?? 0;
      if (signs > MAX_SIGNS) return false;
    }
  }
  return true;
}

interface Context {
  readonly indent: Indent;
  readonly isTight: boolean;
  readonly bullet: string;
  readonly source: string;
  readonly definitions: ReadonlyMap<string, Definition>;
}

function leavesOf(nodes: readonly RootContent[], context: Context, depth: number): Leaf[] {
  let indent = context.indent;
  return nodes.flatMap((node, index) => {
    const isApart = index > 0 ? !context.isTight : false;
    const leaves = blockLeaves(node, { ...context, indent }, isApart, depth);
    if (leaves.length > 0) indent = { first: indent.rest, rest: indent.rest };
    return leaves;
  });
}

function blockLeaves(node: RootContent, context: Context, isApart: boolean, depth: number): Leaf[] {
  const { indent, bullet } = context;
  const text = (runs: readonly Run[], level = 0): Leaf[] =>
    runs.length === 0 ? [] : [{ kind: 'text', indent, isApart, runs, level }];
  if (depth > MAX_DEPTH) return text(literal(sourceOf(node, context.source), []));
  switch (node.type) {
    case 'paragraph':
      return text(runsOf(node.children, [], context));
    case 'heading':
      return text(runsOf(node.children, [], context), node.depth);
    case 'thematicBreak':
      return text([{ text: '———', marks: [] }]);
    case 'code':
      return [{ kind: 'code', indent, isApart, language: node.lang ?? '', lines: node.value.split('\n') }];
    case 'blockquote': {
      const quoted = { first: `${indent.first}> `, rest: `${indent.rest}> ` };
      return apart(leavesOf(node.children, { ...context, indent: quoted, isTight: false }, depth + 1), isApart);
    }
    case 'list': {
      const start = node.start ?? 1;
      const isTight = !node.spread && node.children.every((item) => !item.spread);
      const leaves = node.children.flatMap((item, index) => {
        const sign = node.ordered ? `${start + index}. ` : `${bullet} `;
        const inner = {
          first: (index === 0 ? indent.first : indent.rest) + sign,
          rest: indent.rest + ' '.repeat(sign.length),
        };
        const content = leavesOf(item.children, { ...context, indent: inner, isTight }, depth + 1);
        const own = content.length > 0 ? content : [emptyItem(inner)];
        return apart(own, index > 0 && !isTight);
      });
      return apart(leaves, isApart);
    }
    case 'table': {
      const rows = node.children.map((row) => row.children.map((cell) => runsOf(cell.children, [], context)));
      return rows.map((cells, index) => ({
        kind: 'text',
        level: 0,
        isApart: index === 0 && isApart,
        runs: joined(cells, index === 0),
        indent: index === 0 ? indent : { first: indent.rest, rest: indent.rest },
      }));
    }
    case 'definition':
      return [];
    default:
      return text(literal(sourceOf(node, context.source), []));
  }
}

const emptyItem = (indent: Indent): Leaf => ({
  kind: 'text',
  indent,
  isApart: false,
  runs: [{ text: '', marks: [] }],
  level: 0,
});

/** The same blocks, the first one with or without a blank line before it. */
function apart(leaves: readonly Leaf[], isApart: boolean): Leaf[] {
  return leaves.map((leaf, index) => (index === 0 ? { ...leaf, isApart } : leaf));
}

const STRONG: Mark = { kind: 'strong' };
const ADDRESS: Mark = { kind: 'address' };

/** The cells of a row with bars between them, in bold where it is the head. */
function joined(cells: readonly (readonly Run[])[], isHead: boolean): readonly Run[] {
  return cells.flatMap((cell, index) => [
    ...(index === 0 ? [] : [{ text: ' | ', marks: [] }]),
    ...cell.map(({ text, marks }) => ({ text, marks: isHead ? withMark(marks, STRONG) : marks })),
  ]);
}

/** Addresses that a platform links to by itself; escapes within them would be shown. */
const BARE_ADDRESS = /(https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\p{L}\p{N}_/=-]*)?)/iu;

/** Text that is shown as it is written, such as HTML, with the addresses in it. */
function literal(text: string, marks: readonly Mark[]): Run[] {
  return text.split(BARE_ADDRESS).flatMap((part, index) => {
    if (part === '') return [];
    return [{ text: part, marks: index % 2 === 1 ? withMark(marks, ADDRESS) : marks }];
  });
}

/** The marks with a link to an address, if a platform may link to it. */
function linked(marks: readonly Mark[], url: string): readonly Mark[] {
  return LINKED.test(url) ? withMark(marks, { kind: 'link', url }) : marks;
}

function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  return marks.some(({ kind }) => kind === mark.kind) ? marks : [...marks, mark];
}

function runsOf(nodes: readonly PhrasingContent[], marks: readonly Mark[], context: Context): Run[] {
  return nodes.flatMap((node): Run[] => {
    switch (node.type) {
      case 'text':
        return [{ text: node.value, marks }];
      case 'break':
        return [{ text: '\n', marks }];
      case 'inlineCode':
        return [{ text: node.value, marks: withMark(marks, { kind: 'code' }) }];
      case 'emphasis':
        if (isInsideWord(node, context.source))
          return [{ text: '*', marks }, ...runsOf(node.children, marks, context), { text: '*', marks }];
        return runsOf(node.children, withMark(marks, { kind: node.type }), context);
      case 'strong':
      case 'delete':
        return runsOf(node.children, withMark(marks, { kind: node.type }), context);
      case 'link': {
        const [only] = node.children;
        const isAddress = node.children.length === 1 && only?.type === 'text' && node.url.endsWith(only.value);
        return runsOf(node.children, isAddress ? withMark(marks, ADDRESS) : linked(marks, node.url), context);
      }
      case 'image':
        return [{ text: node.alt || node.url, marks: linked(marks, node.url) }];
      case 'linkReference': {
        const definition = context.definitions.get(node.identifier);
        const inner = definition ? linked(marks, definition.url) : marks;
        return definition ? runsOf(node.children, inner, context) : literal(sourceOf(node, context.source), marks);
      }
      default:
        return literal(sourceOf(node, context.source), marks);
    }
  });
}
