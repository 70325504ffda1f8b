import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSigningSecret } from '../../../functions/accounts/domain/signing-key.ts';
import { KeyFileSecretBox } from '../../../functions/adapters/secrets/key-file-secret-box.ts';

/** An answer in the protocol of the service. */
type Played = (operation: string, input: Readonly<Record<string, string>>) => Promise<object>;

/**
 * Services that no local store plays, on the files that the local service uses in their place: a secret that a function sealed,
 * or a mail that it sent, is there for the tests too.
 */
export const played: Readonly<Record<string, Played>> = {
  async secretsmanager(operation, { SecretId = '', SecretString = '' }) {
    if (SecretId.includes('Payment')) return { SecretString: process.env.PAYMENT_SECRET_TEXT };
    const file = process.env.SIGNING_KEY_FILE!;
    if (operation === 'PutSecretValue') await writeFile(file, SecretString, { mode: 0o600 });
    else if (!existsSync(file)) await writeFile(file, newSigningSecret(randomBytes), { mode: 0o600 });
    return { SecretString: await readFile(file, 'utf8') };
  },
  async kms(operation, input) {
    const box = new KeyFileSecretBox(process.env.SECRETS_KEY_FILE!);
    const { application = '' } = input.EncryptionContext as unknown as Record<string, string>;
    if (operation === 'Encrypt')
      return { CiphertextBlob: await box.seal(Buffer.from(input.Plaintext!, 'base64').toString(), application) };
    const text = await box.open(input.CiphertextBlob!, application);
    return { Plaintext: Buffer.from(text).toString('base64') };
  },
  async ses(_, { Content }) {
    const { Raw } = Content as unknown as { Raw: { Data: string } };
    const mail = Buffer.from(Raw.Data, 'base64');
    const [, id = crypto.randomUUID()] = /^Message-ID: <([^@>]+)/im.exec(mail.toString()) ?? [];
    await mkdir(process.env.MAIL_DIR!, { recursive: true });
    await writeFile(join(process.env.MAIL_DIR!, `${id}.eml`), mail);
    return { MessageId: id };
  },
};
