import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail } from '../../accounts/domain/mail.ts';

/** The mail as an RFC 5322 message, its UTF-8 headers and text encoded for any carrier. The same bytes for the same mail. */
export function mimeMessage({ id, to, subject, text, date }: Mail, from: string): Promise<Buffer> {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const composer = new MailComposer({
    from: { name: 'Tripod', address: from },
    to: to.map((address) => ({ name: '', address })),
    subject,
    text,
    textEncoding: 'base64',
    date: new Date(date),
    messageId: `<${id}@${domain}>`,
    // RFC 3834: keeps automatic replies away.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
