import { allowUsed, type GrantMaker } from './grant.ts';

const ACTIONS = { seal: 'kms:Encrypt', open: 'kms:Decrypt' } as const;

/** Encrypting, or decrypting, the secrets of applications. */
export const grantSecrets: GrantMaker = (entry, { data }) => {
  const { secrets } = entry.access;
  if (secrets === undefined) return [];
  const { keyArn } = data.secretsKey;
  const statements = allowUsed(entry, 'key:secrets', [ACTIONS[secrets]], [keyArn]);
  return [{ statements, environment: { SECRETS_KEY_ARN: keyArn } }];
};
