import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SigningSecret } from '../../accounts/domain/signing-key.ts';
import { readSecret } from '../shared/secret.ts';

/** The secret in AWS Secrets Manager, where the deployment has made it. */
export class SecretsManagerSigningSecret implements SigningSecret {
  readonly #client: SecretsManagerClient;
  readonly #id: string;

  constructor(client: SecretsManagerClient, id: string) {
    this.#client = client;
    this.#id = id;
  }

  read(): Promise<string> {
    return readSecret(this.#client, this.#id);
  }

  async replace(text: string): Promise<void> {
    await this.#client.send(new PutSecretValueCommand({ SecretId: this.#id, SecretString: text }));
  }
}
