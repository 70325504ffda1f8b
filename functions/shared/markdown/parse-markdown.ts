import type { Definition, Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import { gfmTable } from 'micromark-extension-gfm-table';

const EXTENSIONS = {
  extensions: [
    // Korean particles follow a bold word without a blank: **타이레놀정(500mg)**은.
    cjkFriendlyExtension(),
    gfmStrikethroughCjkFriendly({ singleTilde: false }),
    gfmTable(),
    gfmAutolinkLiteral(),
  ],
  mdastExtensions: [gfmStrikethroughFromMarkdown(), gfmTableFromMarkdown(), gfmAutolinkLiteralFromMarkdown()],
};

/** The syntax tree of a text in GitHub's Markdown. */
export function parseMarkdown(markdown: string): Root {
  return fromMarkdown(markdown, EXTENSIONS);
}

/** Addresses of links by reference. */
export function definitionsOf(root: Root): ReadonlyMap<string, Definition> {
  const found = root.children.filter((node): node is Definition => node.type === 'definition');
  return new Map(found.map((definition) => [definition.identifier, definition]));
}

/** The source text of an element that has no other form, such as HTML. */
export function sourceOf({ position }: Nodes, source: string): string {
  return position === undefined ? '' : source.slice(position.start.offset, position.end.offset);
}
