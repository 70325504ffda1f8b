import type { Nodes, Parents } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { createElement, Fragment, type ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { Scroll } from './controls.tsx';
import { slugOf } from './slug.ts';

interface Options {
  /** Changes addresses. */
  readonly linkTo?: (url: string) => string;
  /** Whether `<a id="…"></a>` names a place. The texts of strangers name none. */
  readonly hasAnchors?: boolean;
}

/** Markdown as elements: nothing is ever parsed as HTML, and links lead nowhere but to pages. */
export function Markdown({ text, ...options }: { text: string } & Options) {
  const tree = fromMarkdown(text, {
    extensions: [gfmTable(), gfmStrikethrough(), gfmAutolinkLiteral()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown(), gfmAutolinkLiteralFromMarkdown()],
  });
  return <div className="prose [overflow-wrap:anywhere]">{childrenOf(tree, options)}</div>;
}

function childrenOf(node: Parents, options: Options): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move.
  return node.children.map((child, index) => <Fragment key={index}>{elementOf(child as Nodes, options)}</Fragment>);
}

function elementOf(node: Nodes, options: Options): ReactNode {
  const inner = () => childrenOf(node as Parents, options);
  switch (node.type) {
    case 'text':
      return node.value;
    case 'html': {
      const anchor = options.hasAnchors ? /^<a id="([\w-]+)">$|^<\/a>$/.exec(node.value) : null;
      if (anchor) return anchor[1] === undefined ? null : <span id={anchor[1]} />;
      // As it is written.
      return /^<!--/.test(node.value) ? null : node.value;
    }
    case 'paragraph':
      return <p>{inner()}</p>;
    case 'heading':
      return createElement(`h${node.depth}`, { id: slugOf(textOf(node)) }, ...inner());
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'emphasis':
      return <em>{inner()}</em>;
    case 'delete':
      return <del>{inner()}</del>;
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'code':
      return <CodeBlock code={node.value} />;
    case 'blockquote':
      return <blockquote className="border-s-4 border-line ps-3">{inner()}</blockquote>;
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{inner()}</ol> : <ul>{inner()}</ul>;
    case 'listItem':
      return <li>{inner()}</li>;
    case 'link': {
      const url = options.linkTo?.(node.url) ?? node.url;
      if (!/^(https?:|\/|#)/.test(url)) return inner();
      const isForeign = /^https?:/.test(url);
      return (
        <a href={url} {...(isForeign && { target: '_blank', rel: 'noreferrer' })}>
          {inner()}
        </a>
      );
    }
    case 'image':
      return node.alt;
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr className="border-line" />;
    case 'table': {
      const [head, ...rows] = node.children;
      return (
        <Scroll label={[head, rows[0]?.children[0]].map((part) => (part ? textOf(part) : '')).join(' ')}>
          <table className="table">
            <thead>
              <tr>
                {head?.children.map((cell, index) => {
                  // A column without a title has no heading.
                  const Cell = cell.children.length === 0 ? 'td' : 'th';
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move.
                  return <Cell key={index}>{childrenOf(cell, options)}</Cell>;
                })}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move.
                <tr key={at}>
                  {row.children.map((cell, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move.
                    <td key={index}>{childrenOf(cell, options)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      );
    }
    default:
      return 'children' in node ? inner() : null;
  }
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map((child) => textOf(child as Nodes)).join('') : '';
}
