import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import type { SecretBox } from '../../shared/ports/secret-box.ts';

/** Opened secrets that a runtime remembers, and for how long: KMS takes ten milliseconds, and bills each call. */
const MAX_REMEMBERED = 500;
const REMEMBERED_MS = 5 * 60_000;

export function kmsSecretBox(keyArn: string): SecretBox {
  const requestHandler = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
  return new KmsSecretBox(new KMSClient({ requestHandler }), keyArn);
}

/** Secrets of up to 4 KB, encrypted by a KMS key itself. The context shows in the key's audit trail. */
export class KmsSecretBox implements SecretBox {
  readonly #client: KMSClient;
  readonly #keyArn: string;
  readonly #opened = new Map<string, { readonly text: string; readonly untilMs: number }>();

  constructor(client: KMSClient, keyArn: string) {
    this.#client = client;
    this.#keyArn = keyArn;
  }

  async seal(text: string, context: string): Promise<string> {
    const { CiphertextBlob } = await this.#client.send(
      new EncryptCommand({
        KeyId: this.#keyArn,
        Plaintext: Buffer.from(text, 'utf8'),
        EncryptionContext: { application: context },
      }),
    );
    return Buffer.from(CiphertextBlob!).toString('base64');
  }

  async open(sealed: string, context: string): Promise<string> {
    const name = `${context}:${sealed}`;
    const known = this.#opened.get(name);
    if (known && known.untilMs > Date.now()) return known.text;
    const { Plaintext } = await this.#client.send(
      new DecryptCommand({
        KeyId: this.#keyArn,
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: { application: context },
      }),
    );
    const text = Buffer.from(Plaintext!).toString('utf8');
    this.#opened.delete(name);
    this.#opened.set(name, { text, untilMs: Date.now() + REMEMBERED_MS });
    if (this.#opened.size > MAX_REMEMBERED) this.#opened.delete(this.#opened.keys().next().value!);
    return text;
  }
}
