import { readFileSync } from 'node:fs';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../../functions/channels/domain/platforms/platforms.ts';
import { renderParts } from '../../../functions/channels/domain/text/render.ts';
import { parseMarkdown } from '../../../functions/shared/markdown/parse-markdown.ts';

/** Sentences as models write them, each with the text that a person is to see. */
const MESSAGES = JSON.parse(
  readFileSync(new URL('../../fixtures/korean-messages.json', import.meta.url), 'utf8'),
) as readonly (readonly [markdown: string, shown: string])[];

/** Slack's and WhatsApp's marks count between blanks, punctuation and the ends of a line only. */
const EDGE = String.raw`[\s\p{P}\p{S}\u200b]`;
const MARKED = new RegExp(String.raw`(?<=^|${EDGE})([*_~${'`'}])(?=\S)([^\n]*?\S)\1(?=$|${EDGE})`, 'gu');

function withoutMarks(text: string): string {
  const shown = text.replace(MARKED, '$2');
  return shown === text ? text.replaceAll('\u200b', '') : withoutMarks(shown);
}

const withoutLinks = (text: string) => text.replace(/<[^|>]+\|([^>]+)>/g, '$1');
const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const withoutAddresses = (text: string) => text.replace(/ \((?:https?:|mailto:|tel:)[^)]*\)/g, '');

function textOf(node: Nodes): string {
  return 'value' in node ? node.value : 'children' in node ? node.children.map(textOf).join('') : '';
}

/** The visible text of a message, by dialect. */
const SHOWN = {
  mrkdwn: (text: string) => unescaped(withoutMarks(withoutLinks(text))),
  whatsapp: (text: string) => withoutMarks(withoutAddresses(text)),
  html: (text: string) => unescaped(text.replace(/<\/?(?:b|i|s|code|pre|a)(?: (?:href|class)="[^"]*")?>/g, '')),
  plain: withoutAddresses,
  markdown: (text: string) => textOf(parseMarkdown(text)),
};

describe.each(Object.values(platforms))('Korean messages on $type', ({ dialect, maxReplyLength }) => {
  it(`show no mark and lose no sign, ${MESSAGES.length} of ${MESSAGES.length}`, () => {
    const seen = MESSAGES.map(([markdown]) =>
      SHOWN[dialect](renderParts(markdown, dialect, maxReplyLength).join('\n')),
    );
    const wrong = MESSAGES.flatMap(([markdown, shown], index) =>
      seen[index] === shown ? [] : [{ markdown, shown, seen: seen[index] }],
    );
    expect(wrong).toEqual([]);
  });
});
