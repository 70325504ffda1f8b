import type { Quote } from '../inbound-message.ts';
import { withoutEntities } from '../text/inbound.ts';
import type { Json } from './platform.ts';

/** Messages that a message replies to or forwards: as entities, or as quotes in its form as HTML. */
export function teamsQuotes(activity: Json, bot: string): Quote[] {
  const entities = activity.list('entities').filter((entity) => entity.text('type') === 'quotedReply');
  const quotes = entities.map((entity): Quote => {
    const reply = entity.has('quotedReply') ? entity.in('quotedReply') : entity;
    const author = reply.text('senderId') === bot ? 'you' : reply.text('senderName');
    return { kind: 'reply', author, text: reply.text('preview') };
  });
  if (quotes.length > 0) return quotes;
  return activity
    .list('attachments')
    .filter((attachment) => attachment.text('contentType') === 'text/html')
    .flatMap((attachment) => attachment.text('content').split('<blockquote').slice(1))
    .flatMap((html) => htmlQuote(html, bot));
}

const SCHEMA = 'http://schema.skype.com/';

/** @param html of a quote, from the attributes of its tag on. */
function htmlQuote(html: string, bot: string): Quote[] {
  const attributes = html.slice(0, html.indexOf('>') + 1);
  const inner = between(html, '>', '</blockquote') ?? html.slice(attributes.length);
  if (attributes.includes(`${SCHEMA}Forward`)) return [{ kind: 'forward', author: '', text: plain(inner) }];
  // Other quotes are the sender's own formatting.
  if (!attributes.includes(`${SCHEMA}Reply`)) return [];
  const author = elementOf(inner, 'mri');
  const text = elementOf(inner, 'copy') || elementOf(inner, 'preview');
  const isOwn = bot !== '' && inner.includes(`itemid="${bot}"`);
  return [{ kind: 'reply', author: isOwn ? 'you' : plain(author), text: plain(text) }];
}

/** The contents of the element that a property names, up to its end or the next element of the quote. */
function elementOf(html: string, property: string): string {
  const start = html.indexOf(`itemprop="${property}"`);
  if (start === -1) return '';
  const rest = html.slice(start);
  return between(rest, '>', property === 'mri' ? '</' : '</p>') ?? '';
}

function between(text: string, opening: string, closing: string): string | null {
  const start = text.indexOf(opening);
  const end = text.indexOf(closing, start + 1);
  return start === -1 || end === -1 ? null : text.slice(start + opening.length, end);
}

function plain(html: string): string {
  const lines = html.replaceAll(/<br ?\/?>|<\/(?:p|div|li)>/g, '\n').replaceAll(/<[^<>]{0,2000}>/g, '');
  return withoutEntities(lines).trim();
}

/** The sender's own words: Teams writes the quoted ones before or after them. */
export function withoutQuoted(text: string, quotes: readonly Quote[]): string {
  const own = text.replaceAll(/<quoted messageId="[^"<>]{0,100}" ?\/>/g, '').trim();
  return quotes.reduce((rest, { kind, author, text: quoted }) => {
    if (quoted === '') return rest;
    const after =
      afterWords(rest, `${author}${quoted}`) ?? afterWords(rest, quoted) ?? beforeWords(rest, quoted) ?? rest;
    // An answer of the same words as its quote is not a quote.
    return after === '' && kind === 'reply' ? rest : after;
  }, own);
}

/** The rest of a text that starts with some words, blanks aside; null for any other text. */
function afterWords(text: string, words: string): string | null {
  const sought = words.replaceAll(/\s/g, '');
  let found = 0;
  let at = 0;
  for (; found < sought.length && at < text.length; at++) {
    if (/\s/.test(text[at]!)) continue;
    if (text[at] !== sought[found]) return null;
    found += 1;
  }
  return found === sought.length && (at === text.length || /\s/.test(text[at]!)) ? text.slice(at).trim() : null;
}

/** The start of a text that ends with some words. */
function beforeWords(text: string, words: string): string | null {
  const reversed = (each: string) => each.split('').reverse().join('');
  const before = afterWords(reversed(text), reversed(words));
  return before === null ? null : reversed(before);
}
