import { allow, type GrantMaker } from './grant.ts';

const ACTIONS = { seal: 'kms:Encrypt', open: 'kms:Decrypt' } as const;

/** Encrypting, or decrypting, the secrets of applications. */
export const grantSecrets: GrantMaker = ({ access }, { data }) =>
  access.secrets === undefined
    ? []
    : [
        {
          statements: [allow([ACTIONS[access.secrets]], [data.secretsKey.keyArn])],
          environment: { SECRETS_KEY_ARN: data.secretsKey.keyArn },
        },
      ];
