import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';

/** One of OWASP's equivalent settings for scrypt: 64 MiB a hash, which a 256 MB function can bear. */
const LOG2_COST = 16;
const BLOCK_SIZE = 8;
const PARALLELISM = 2;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * The hash of no password, with the parameters of real ones: a login with an unknown e-mail address is checked against it,
 * and takes as long as any other.
 */
export const DECOY_HASH = stored(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** @returns `$scrypt$ln=16,r=8,p=2$<salt>$<hash>`: the parameters travel along, so that they can be raised later. */
export async function hashPassword(password: string, random: RandomBytes): Promise<string> {
  const salt = Buffer.from(random(SALT_BYTES));
  const hash = await derive(password, salt, LOG2_COST, BLOCK_SIZE, PARALLELISM);
  return stored(salt, hash);
}

function stored(salt: Buffer, hash: Buffer): string {
  const parameters = `ln=${LOG2_COST},r=${BLOCK_SIZE},p=${PARALLELISM}`;
  return ['', 'scrypt', parameters, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Compares in constant time. @throws Error when `stored` is no hash of `hashPassword`. */
export async function isPasswordOf(stored: string, password: string): Promise<boolean> {
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
