import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';

/** One of OWASP's equivalent settings for scrypt: 64 MiB a hash, which a 256 MB function can bear. */
const LOG2_COST = 16;
const BLOCK_SIZE = 8;
const PARALLELISM = 2;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** In place of a hash: no password fits. The parameters are those of a hash, so that a check takes as long as any other. */
export const UNUSABLE_PASSWORD = `$scrypt$ln=${LOG2_COST},r=${BLOCK_SIZE},p=${PARALLELISM}$unusable$unusable`;

export interface PasswordHasher {
  /** `$scrypt$ln=16,r=8,p=2$<salt>$<hash>`: the parameters travel along, so that they can be raised later. */
  hash(password: string): Promise<string>;
  /**
   * Compares in constant time. @param stored null: there is none; the check takes as long as any other, and fails.
   * @throws Error when `stored` is not a hash of a `PasswordHasher`.
   */
  verify(stored: string | null, password: string): Promise<boolean>;
}

/** @param log2Cost of the memory and the time that a hash takes. */
export function passwordHasher(random: RandomBytes, log2Cost = LOG2_COST): PasswordHasher {
  const decoyHash = stored(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES), log2Cost);
  return {
    async hash(password) {
      const salt = Buffer.from(random(SALT_BYTES));
      return stored(salt, await derive(password, salt, log2Cost, BLOCK_SIZE, PARALLELISM), log2Cost);
    },
    async verify(hash, password) {
      const isRight = await isPasswordOf(hash ?? decoyHash, password);
      return isRight && hash !== null;
    },
  };
}

function stored(salt: Buffer, hash: Buffer, log2Cost: number): string {
  const parameters = `ln=${log2Cost},r=${BLOCK_SIZE},p=${PARALLELISM}`;
  return ['', 'scrypt', parameters, salt.toString('base64'), hash.toString('base64')].join('$');
}

async function isPasswordOf(stored: string, password: string): Promise<boolean> {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!match) throw new Error('A stored password hash has an unknown format.');
  const [, cost, blockSize, parallelism, salt, hash] = match;
  const expected = Buffer.from(hash!, 'base64');
  const actual = await derive(
    password,
    Buffer.from(salt!, 'base64'),
    Number(cost),
    Number(blockSize),
    Number(parallelism),
  );
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function derive(password: string, salt: Buffer, log2Cost: number, r: number, p: number): Promise<Buffer> {
  const N = 2 ** log2Cost;
  // Node's limit is 32 MiB by default; the algorithm needs 128 * r bytes for each of N + p blocks.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p + 16) };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
