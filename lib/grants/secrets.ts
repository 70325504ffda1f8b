import { allow, type GrantMaker } from './grant.ts';

/** Encrypting, or decrypting, the secrets of applications. */
export function grantSecrets(action: 'kms:Encrypt' | 'kms:Decrypt'): GrantMaker {
  return ({ data: { secretsKey } }) => [
    {
      statements: [allow([action], [secretsKey.keyArn])],
      environment: { SECRETS_KEY_ARN: secretsKey.keyArn },
    },
  ];
}
