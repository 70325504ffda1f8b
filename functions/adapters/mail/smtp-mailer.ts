import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../../accounts/domain/mail.ts';
import { mimeMessage } from './mime-message.ts';

/** Of one step of the conversation with the relay. */
const TIMEOUT_MS = 10_000;

/** A mail relay of the operator's own network. SMTP knows no ids of mails: a repetition is a second mail. */
export class SmtpMailer implements Mailer {
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #from: string;

  /** @param url `smtp://user:password@relay:587`, or `smtps://` for TLS from the first byte. */
  constructor(url: string, from: string) {
    this.#transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    });
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    const raw = await mimeMessage(mail, this.#from);
    await this.#transport.sendMail({ envelope: { from: this.#from, to: [...mail.to] }, raw });
  }
}
