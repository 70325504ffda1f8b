import { randomBytes } from 'node:crypto';
import { logger } from '../../shared/logging.ts';
import { publishedKeys, signingSecret } from '../../wiring/accounts/auth.ts';
import { rotateSigningKey } from '../domain/signing-key.ts';

const ports = { secret: signingSecret(), keys: publishedKeys(), random: randomBytes };

/** Run twice, it drops a key that must not be valid any longer. */
export const handler = async (): Promise<{ readonly kid: string }> => {
  const { kid } = await rotateSigningKey(ports);
  logger().info('Signing key replaced', { kid });
  return { kid };
};
