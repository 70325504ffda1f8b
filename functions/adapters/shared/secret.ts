import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The text of a secret. @throws when it has none */
export async function readSecret(client: SecretsManagerClient, id: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
  if (!SecretString) throw new Error(`The secret ${id} is empty.`);
  return SecretString;
}
