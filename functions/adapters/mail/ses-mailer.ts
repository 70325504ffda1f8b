import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Mail, Mailer } from '../../accounts/domain/mail.ts';
import { mimeMessage } from './mime-message.ts';

/**
 * Amazon SES takes no token that would identify a repetition: make the client with `maxAttempts: 1`, since the SDK's own
 * retry of a call whose response was lost would be a second mail.
 */
export class SesMailer implements Mailer {
  readonly #client: SESv2Client;
  readonly #from: string;

  /** @param from an address of an identity that SES has verified. */
  constructor(client: SESv2Client, from: string) {
    this.#client = client;
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    const Data = await mimeMessage(mail, this.#from);
    await this.#client.send(
      new SendEmailCommand({
        FromEmailAddress: this.#from,
        Destination: { ToAddresses: [...mail.to] },
        Content: { Raw: { Data } },
      }),
    );
  }
}
