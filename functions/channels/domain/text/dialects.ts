import type { Mark, Run } from './read-markdown.ts';

/** How a platform writes what Markdown says. */
export type DialectName = 'markdown' | 'mrkdwn' | 'whatsapp' | 'html' | 'plain';

export interface Dialect {
  /** True where a text that fits is sent as it is. */
  readonly isMarkdown: boolean;
  readonly bullet: string;
  escape(text: string): string;
  escapeCode(text: string): string;
  escapeIndent(indent: string): string;
  codeBlock(language: string, lines: readonly string[]): string;
  open(mark: Mark): string;
  close(mark: Mark, shown: string): string;
  /** The mark before a heading; without a mark, headings are bold. */
  heading(level: number): string;
  /** Marks count only at word boundaries: a mark inside a word gets an invisible blank. */
  readonly needsWordEnds: boolean;
}

const SIGNS = { strong: '*', emphasis: '_', delete: '~', code: '`', address: '' } as const;
const sign = (mark: Mark) => (mark.kind === 'link' ? '' : SIGNS[mark.kind]);
const asItIs = (text: string) => text;
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const address = (mark: Mark, shown: string) => (mark.kind !== 'link' || mark.url === shown ? '' : ` (${mark.url})`);

function fenced(head: string, lines: readonly string[]): string {
  const longest = Math.max(0, ...lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [fence + head, ...lines, fence].join('\n');
}

/** Discord, Teams and custom receivers. */
const markdown: Dialect = {
  isMarkdown: true,
  bullet: '-',
  codeBlock: fenced,
  escape: (text) =>
    text
      .replace(/[\\`*_~[\]<>|&]/g, '\\$&')
      .replace(/^([ \t]*)([#+=-])/gm, '$1\\$2')
      .replace(/^([ \t]*\d{1,9})([.)])/gm, '$1\\$2'),
  escapeCode: asItIs,
  escapeIndent: asItIs,
  open: (mark) => (mark.kind === 'link' ? '[' : MARKDOWN_SIGNS[mark.kind]),
  close: (mark) => (mark.kind === 'link' ? `](${destination(mark.url)})` : MARKDOWN_SIGNS[mark.kind]),
  heading: (level) => (level === 0 ? '' : `${'#'.repeat(level)} `),
  needsWordEnds: false,
};

const MARKDOWN_SIGNS = { strong: '**', emphasis: '*', delete: '~~', code: '`', address: '' } as const;

/** An address with brackets or blanks is enclosed in angle brackets. */
function destination(url: string): string {
  return /[\s()<>\\]/.test(url) || url === '' ? `<${url.replace(/[<>\\\n]/g, encodeURIComponent)}>` : url;
}

/** Slack's mrkdwn, with its own marks and three characters escaped, so that a text cannot mention anyone. */
const mrkdwn: Dialect = {
  isMarkdown: false,
  bullet: '•',
  escape: xml,
  escapeCode: xml,
  escapeIndent: asItIs,
  codeBlock: (_, lines) => fenced('', lines.map(xml)),
  open: (mark) => (mark.kind === 'link' ? `<${xml(mark.url).replaceAll('|', '%7C')}|` : sign(mark)),
  close: (mark) => (mark.kind === 'link' ? '>' : sign(mark)),
  heading: () => '',
  needsWordEnds: true,
};

const whatsapp: Dialect = {
  ...mrkdwn,
  bullet: '-',
  escape: asItIs,
  escapeCode: asItIs,
  codeBlock: (_, lines) => fenced('', lines),
  open: sign,
  close: (mark, shown) => sign(mark) + address(mark, shown),
};

const TAGS = { strong: 'b', emphasis: 'i', delete: 's', code: 'code' } as const;
const attribute = (text: string) => xml(text).replaceAll('"', '&quot;');

/** Telegram makes its entities of these tags, and refuses a text with any other. */
const html: Dialect = {
  isMarkdown: false,
  bullet: '•',
  escape: xml,
  escapeCode: xml,
  escapeIndent: xml,
  codeBlock(language, lines) {
    const code = xml(lines.join('\n'));
    const name = /^[\w+#-]+/.exec(language)?.[0];
    return name === undefined
      ? `<pre>${code}</pre>`
      : `<pre><code class="language-${attribute(name)}">${code}</code></pre>`;
  },
  open: (mark) =>
    mark.kind === 'link' ? `<a href="${attribute(mark.url)}">` : mark.kind === 'address' ? '' : `<${TAGS[mark.kind]}>`,
  close: (mark) => (mark.kind === 'link' ? '</a>' : mark.kind === 'address' ? '' : `</${TAGS[mark.kind]}>`),
  heading: () => '',
  needsWordEnds: false,
};

/** For platforms that show a text as it is. */
const plain: Dialect = {
  ...whatsapp,
  open: () => '',
  close: address,
  needsWordEnds: false,
};

export const dialects: Readonly<Record<DialectName, Dialect>> = { markdown, mrkdwn, whatsapp, html, plain };

/** A mark counts only next to a blank or punctuation; this character has no width. */
const UNSEEN = '\u200b';
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Text with its marks in a platform's signs. */
export function writeRuns(runs: readonly Run[], dialect: Dialect): string {
  let text = '';
  const open: { readonly mark: Mark; readonly at: number; shown: string }[] = [];
  const closeTo = (count: number) => {
    let hasClosed = false;
    while (open.length > count) {
      const { mark, at, shown } = open.pop()!;
      // A mark next to a blank has no effect: move the blank outside.
      const blank = mark.kind === 'link' || mark.kind === 'code' ? '' : text.slice(text.trimEnd().length);
      const inner = blank === '' ? text : text.slice(0, -blank.length);
      text =
        inner.length <= at + dialect.open(mark).length
          ? text.slice(0, at) + blank
          : inner + dialect.close(mark, shown) + blank;
      hasClosed ||= dialect.close(mark, shown) !== '';
    }
    return hasClosed;
  };
  for (const { text: said, marks } of runs.map((run) => ordered(run, dialect))) {
    if (said === '') continue;
    const same = open.findIndex(({ mark }, index) => marks[index] !== mark);
    const hasClosed = closeTo(same === -1 ? Math.min(open.length, marks.length) : same);
    if (dialect.needsWordEnds && hasClosed && isWord(said[0])) text += UNSEEN;
    let rest = said;
    for (const mark of marks.slice(open.length)) {
      const sign = dialect.open(mark);
      if (mark.kind !== 'link' && mark.kind !== 'code') {
        const [blank = ''] = /^\s+/.exec(rest) ?? [];
        text += blank;
        rest = rest.slice(blank.length);
      }
      if (dialect.needsWordEnds && sign !== '' && isWord(text.at(-1))) text += UNSEEN;
      open.push({ mark, at: text.length, shown: '' });
      text += sign;
    }
    for (const each of open) each.shown += rest;
    text += written(rest, marks, dialect);
  }
  closeTo(0);
  return text;
}

function written(text: string, marks: readonly Mark[], dialect: Dialect): string {
  if (marks.some(({ kind }) => kind === 'code')) return writeCode(text, dialect);
  const isAddress = dialect.isMarkdown && marks.some(({ kind }) => kind === 'address');
  return isAddress ? text : dialect.escape(text);
}

/** A name of a link in mrkdwn has no marks in it; an entity of code in Telegram is in no other. */
function ordered(run: Run, dialect: Dialect): Run {
  if (dialect === html) {
    const code = run.marks.filter(({ kind }) => kind === 'code');
    return code.length === 0 ? run : { ...run, marks: code };
  }
  if (dialect !== mrkdwn) return run;
  const links = run.marks.filter(({ kind }) => kind === 'link');
  return links.length === 0 ? run : { ...run, marks: [...run.marks.filter(({ kind }) => kind !== 'link'), ...links] };
}

/** Code that holds a backtick itself is shown in other signs, since no platform but Markdown's own has a way to say it. */
function writeCode(text: string, dialect: Dialect): string {
  return dialect.escapeCode(
    text.replaceAll('`', dialect === plain || dialect === html ? '`' : 'ˋ').replaceAll('\n', ' '),
  );
}
