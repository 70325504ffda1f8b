import type { AlignType, Definition, PhrasingContent, RootContent, Table as TableNode } from 'mdast';
import { definitionsOf, parseMarkdown, sourceOf } from '../../../shared/markdown/parse-markdown.ts';
import { ExecutionRefused } from '../execution-refused.ts';
import type { Alignment, Block, Document, Run, Table } from './document.ts';

export const MAX_MARKDOWN_LENGTH = 300_000;
/** Of a title and of addresses of links. */
const MAX_LINE_LENGTH = 2_000;
/** Lists and quotes inside one another; deeper ones are text as it was written. */
const MAX_DEPTH = 8;
export const MAX_CELLS = 10_000;
export const MAX_COLUMNS = 40;
const LINKS = /^(?:https?:\/\/|mailto:)[^\s]+$/i;
const LINE_BREAK = /^<br ?\/?>$/i;

type Style = Omit<Run, 'text'>;
const PLAIN: Style = { isBold: false, isItalic: false, isStruck: false, isCode: false, link: null };

interface Context {
  readonly source: string;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly counted: { cells: number };
}

/**
 * A document of a Markdown text. Pictures are their descriptions, as links where they have an address: nothing is fetched. HTML is text.
 * @throws ExecutionRefused
 */
export function markdownDocument(markdown: string, title: string | null): Document {
  if (markdown.length > MAX_MARKDOWN_LENGTH)
    throw refused(`markdown may have ${MAX_MARKDOWN_LENGTH} characters, and has ${markdown.length}. Split it.`);
  const source = printable(markdown);
  if (source.trim() === '') throw refused('markdown is empty. Send the text of the document.');
  const root = parseMarkdown(source);
  const context = { source, definitions: definitionsOf(root), counted: { cells: 0 } };
  const shownTitle = printable(title ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LINE_LENGTH);
  return { title: shownTitle === '' ? null : shownTitle, blocks: blocksOf(root.children, context, 0) };
}

/** Without what neither XML nor a font has a sign for. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll(/[^\n\P{Cc}]|[\uFFFE\uFFFF]/gu, '');
}

function refused(message: string): ExecutionRefused {
  return new ExecutionRefused('invalid_request', message);
}

function blocksOf(nodes: readonly RootContent[], context: Context, depth: number): readonly Block[] {
  return nodes.flatMap((node) => blockOf(node, context, depth));
}

function blockOf(node: RootContent, context: Context, depth: number): readonly Block[] {
  const asWritten = (): readonly Block[] => [
    { kind: 'paragraph', runs: [{ ...PLAIN, text: sourceOf(node, context.source) }] },
  ];
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', level: node.depth, runs: runsOf(node.children, PLAIN, context) }];
    case 'paragraph':
      return [{ kind: 'paragraph', runs: runsOf(node.children, PLAIN, context) }];
    case 'code':
      return [{ kind: 'code', lines: node.value.split('\n') }];
    case 'thematicBreak':
      return [{ kind: 'rule' }];
    case 'definition':
      return [];
    case 'blockquote':
      return depth >= MAX_DEPTH
        ? asWritten()
        : [{ kind: 'quote', blocks: blocksOf(node.children, context, depth + 1) }];
    case 'list': {
      if (depth >= MAX_DEPTH) return asWritten();
      const items = node.children.map((item) => blocksOf(item.children, context, depth + 1));
      return [{ kind: 'list', start: node.ordered ? (node.start ?? 1) : null, items }];
    }
    case 'table':
      return [tableOf(node, context)];
    default:
      return asWritten();
  }
}

function tableOf({ children, align }: TableNode, context: Context): Table {
  const columns = children[0]?.children.length ?? 0;
  if (columns > MAX_COLUMNS)
    throw refused(`A table may have ${MAX_COLUMNS} columns, and one has ${columns}. Split it, or turn it.`);
  context.counted.cells += children.length * columns;
  if (context.counted.cells > MAX_CELLS)
    throw refused(`The tables of a document may have ${MAX_CELLS} cells in all. Send fewer rows, or a CSV file.`);
  return {
    kind: 'table',
    alignments: Array.from({ length: columns }, (_, index) => alignmentOf(align?.[index])),
    rows: children.map((row, index) =>
      Array.from({ length: columns }, (_, column) =>
        runsOf(row.children[column]?.children ?? [], { ...PLAIN, isBold: index === 0 }, context),
      ),
    ),
  };
}

function alignmentOf(align: AlignType | undefined): Alignment {
  return align ?? 'left';
}

function runsOf(nodes: readonly PhrasingContent[], style: Style, context: Context): readonly Run[] {
  return nodes.flatMap((node): readonly Run[] => {
    switch (node.type) {
      case 'text':
        return [{ ...style, text: node.value }];
      case 'break':
        return [{ ...style, text: '\n' }];
      case 'inlineCode':
        return [{ ...style, isCode: true, text: node.value }];
      case 'strong':
        return runsOf(node.children, { ...style, isBold: true }, context);
      case 'emphasis':
        return runsOf(node.children, { ...style, isItalic: true }, context);
      case 'delete':
        return runsOf(node.children, { ...style, isStruck: true }, context);
      case 'link':
        return runsOf(node.children, { ...style, link: linkTo(node.url) }, context);
      case 'linkReference': {
        const definition = context.definitions.get(node.identifier);
        if (definition === undefined) return [{ ...style, text: sourceOf(node, context.source) }];
        return runsOf(node.children, { ...style, link: linkTo(definition.url) }, context);
      }
      case 'image':
        return [pictureOf(node.alt, node.url, style)];
      case 'imageReference':
        return [pictureOf(node.alt, context.definitions.get(node.identifier)?.url ?? '', style)];
      case 'html':
        return [{ ...style, text: LINE_BREAK.test(node.value) ? '\n' : node.value }];
      default:
        return [{ ...style, text: sourceOf(node, context.source) }];
    }
  });
}

function pictureOf(description: string | null | undefined, url: string, style: Style): Run {
  const link = linkTo(url);
  return { ...style, text: description || link || 'picture', link: link ?? style.link };
}

function linkTo(url: string): string | null {
  return LINKS.test(url) && url.length <= MAX_LINE_LENGTH ? url : null;
}
