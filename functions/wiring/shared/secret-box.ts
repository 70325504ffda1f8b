import { environment } from '../../shared/environment.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';

/** AWS KMS, or a key in a file. Loaded with the first secret: most applications have none. */
export function secretBox(): SecretBox {
  const box = memoizeAsync(async (): Promise<SecretBox> => {
    const { SECRETS_KEY_FILE } = environment('SECRETS_KEY_FILE');
    if (SECRETS_KEY_FILE !== undefined) {
      const { KeyFileSecretBox } = await import('../../adapters/secrets/key-file-secret-box.ts');
      return new KeyFileSecretBox(SECRETS_KEY_FILE);
    }
    const { kmsSecretBox } = await import('../../adapters/secrets/kms-secret-box.ts');
    return kmsSecretBox(environment('SECRETS_KEY_ARN').SECRETS_KEY_ARN);
  });
  return {
    seal: async (...secret) => (await box()).seal(...secret),
    open: async (...sealed) => (await box()).open(...sealed),
  };
}
