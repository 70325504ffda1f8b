import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyFileSecretBox } from '../../../functions/adapters/secrets/key-file-secret-box.ts';
import { KmsSecretBox } from '../../../functions/adapters/secrets/kms-secret-box.ts';
import type { SecretBox } from '../../../functions/shared/ports/secret-box.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-secrets-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** KMS as far as it matters here: what it encrypted, it decrypts for the same context only. */
function kmsBox(): SecretBox {
  const kms = mockClient(KMSClient);
  const known = new Map<string, { readonly plaintext: Uint8Array; readonly context: string }>();
  kms.on(EncryptCommand).callsFake(({ Plaintext, EncryptionContext }) => {
    const blob = randomBytes(32);
    known.set(blob.toString('base64'), { plaintext: Plaintext, context: JSON.stringify(EncryptionContext) });
    return { CiphertextBlob: blob };
  });
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob, EncryptionContext }) => {
    const found = known.get(Buffer.from(CiphertextBlob).toString('base64'));
    if (found?.context !== JSON.stringify(EncryptionContext)) throw new Error('InvalidCiphertextException');
    return { Plaintext: found?.plaintext };
  });
  return new KmsSecretBox(new KMSClient({ region: 'ap-northeast-2' }), 'arn:aws:kms:ap-northeast-2:1:key/1');
}

describe.each([
  ['a key in a file', () => new KeyFileSecretBox(join(directory, 'key'))],
  ['KMS', kmsBox],
] as const)('%s', (_, make) => {
  it.each(['sk-1', 'é'.repeat(500), ''])('opens what it has sealed: %j', async (text) => {
    const box = make();
    const sealed = await box.seal(text, 'ws/app');
    if (text !== '') expect(sealed).not.toContain(text);
    expect(await box.open(sealed, 'ws/app')).toBe(text);
    expect(await box.open(sealed, 'ws/app')).toBe(text);
  });

  it('opens nothing for another context', async () => {
    const box = make();
    const sealed = await box.seal('sk-1', 'ws/app');
    await expect(box.open(sealed, 'ws/other')).rejects.toThrow();
    await expect(box.open(randomBytes(60).toString('base64'), 'ws/app')).rejects.toThrow();
  });
});

describe('a key in a file', () => {
  it('can be read by its owner only, and is one for all who start at once', async () => {
    const path = join(directory, 'shared');
    const boxes = Array.from({ length: 5 }, () => new KeyFileSecretBox(path));
    const sealed = await Promise.all(boxes.map((box) => box.seal('sk-1', 'c')));
    for (const text of sealed) expect(await boxes[0]!.open(text, 'c')).toBe('sk-1');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});
