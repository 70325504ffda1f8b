import PostalMime, { type Address, type Email } from 'postal-mime';
import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import type { Block } from '../../../knowledge/domain/passages.ts';
import { plainBlocks } from '../../../knowledge/domain/text-blocks.ts';
import { htmlBlocks } from './html-blocks.ts';

const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 2 ** 20, maxRfc822NestingDepth: 5 } as const;

const HEADS = ['subject', 'from', 'date'];

/**
 * Subject, head and text of an e-mail. Only the names of its attachments: they are separate documents.
 * @throws DocumentUnreadable
 */
export async function emlBlocks(bytes: Uint8Array): Promise<Block[]> {
  const mail = await PostalMime.parse(bytes, LIMITS).catch((error: unknown) => {
    throw new DocumentUnreadable('unreadable', 'The file cannot be read as an e-mail.', { cause: error });
  });
  const { subject = '', html, text = '', attachments } = mail;
  if (!mail.headers.some(({ key }) => HEADS.includes(key)))
    throw new DocumentUnreadable(
      'unreadable',
      'The file is not an e-mail: it has neither subject nor sender nor date.',
    );
  const names = attachments.flatMap(({ filename }) => filename ?? []);
  const head = [...headOf(mail), ...(names.length === 0 ? [] : [`Attachments: ${names.join(', ')}`])].join('\n');
  return [
    ...(subject === '' ? [] : [{ kind: 'heading' as const, level: 1, text: subject }]),
    ...(head === '' ? [] : [{ kind: 'text' as const, text: head }]),
    // The text of a mail that has both is often cut short.
    ...(html === undefined || html.trim() === '' ? plainBlocks(text) : htmlBlocks(html)),
  ];
}

function headOf({ from, to = [], date }: Email): string[] {
  return [
    ...(from === undefined ? [] : [`From: ${named(from)}`]),
    ...(to.length === 0 ? [] : [`To: ${to.map(named).join(', ')}`]),
    ...(date === undefined ? [] : [`Date: ${date}`]),
  ];
}

function named({ name, address }: Address): string {
  return address === undefined || address === '' ? name : name === '' ? address : `${name} <${address}>`;
}
