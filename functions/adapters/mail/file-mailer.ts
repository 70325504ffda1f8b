import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail, Mailer } from '../../accounts/domain/mail.ts';
import { mimeMessage } from './mime-message.ts';

/** Mailer of a local service: every mail is a file that mail programs open. The id is its name, so a mail exists once. */
export class FileMailer implements Mailer {
  readonly #directory: string;
  readonly #from: string;

  constructor(directory: string, from: string) {
    this.#directory = directory;
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = join(this.#directory, `${mail.id}.eml`);
    const temporary = `${path}.${randomUUID()}.tmp`;
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(await mimeMessage(mail, this.#from));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  }
}
