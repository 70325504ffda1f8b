import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  newSigningSecret,
  type RotationPorts,
  rotateSigningKey,
  type SigningSecret,
  signingKeyOf,
} from '../../../functions/accounts/domain/signing-key.ts';
import { DynamoPublishedKeys } from '../../../functions/adapters/accounts/dynamo-published-keys.ts';
import { FileSigningSecret } from '../../../functions/adapters/tokens/file-signing-secret.ts';
import { JoseSigner } from '../../../functions/adapters/tokens/jose-signer.ts';
import { JoseVerifier } from '../../../functions/adapters/tokens/jose-verifier.ts';
import { type TestClock, testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';

let dynamo: EmbeddedDynamo;
let directory: string;
let clock: TestClock;
let ports: RotationPorts;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
  directory = await mkdtemp(join(tmpdir(), 'tripod-test-'));
});
beforeEach(async () => {
  clock = testClock();
  const secret: SigningSecret = new FileSigningSecret(join(directory, randomBytes(6).toString('hex')));
  const keys = new DynamoPublishedKeys(dynamo.client, TABLES.accounts);
  await keys.replace(await keys.published(), []);
  ports = { secret, keys, random: randomBytes };
});
afterAll(async () => {
  await dynamo.stop();
  await rm(directory, { recursive: true });
});

const claims = { userId: 'usr_1', workspaceId: 'ws_1', sessionId: 's1' };
const signer = () => new JoseSigner({ ...ports, clock, issuer: 'test' });
const verifier = () => new JoseVerifier({ ...ports, clock, issuer: 'test' });
const sign = (by = signer()) => by.sign(claims, clock.now(), clock.now() + 365 * 24 * 60 * 60_000);

it('one file gives one key, however many ask for it first', async () => {
  const texts = await Promise.all(Array.from({ length: 8 }, () => ports.secret.read()));
  expect(new Set(texts).size).toBe(1);
});

it('two keys are valid: a token of the former one is taken until the next rotation, also by a verifier that is warm', async () => {
  const warm = verifier();
  const first = await sign();
  expect(await warm.verify(first)).toEqual(claims);
  await rotateSigningKey(ports);
  clock.advance(2);
  const second = await sign();
  for (const each of [warm, verifier()]) {
    expect(await each.verify(first)).toEqual(claims);
    expect(await each.verify(second)).toEqual(claims);
  }
  await rotateSigningKey(ports);
  expect((await ports.keys.published()).length).toBe(2);
  expect(await verifier().verify(first)).toBeNull();
  expect(await verifier().verify(second)).toEqual(claims);
  // A warm one drops it with its copy of the keys.
  clock.advance(5 * 60 + 1);
  expect(await warm.verify(first)).toBeNull();
});

it('a warm signer takes the new key up within five minutes', async () => {
  const warm = signer();
  await sign(warm);
  const { kid } = await rotateSigningKey(ports);
  clock.advance(5 * 60 + 1);
  const [header = ''] = (await sign(warm)).split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ kid });
});

it.each(['killed before', 'killed after', 'fails before', 'answer lost'] as const)(
  'a rotation that is %s at any call leaves keys that sign and verify, and can be run again',
  async (fault: Fault) => {
    for (let at = 0; at < 4; at++) {
      const before = await sign();
      await rotateSigningKey(faultyPorts(ports, fault, at).ports).catch(() => undefined);
      const after = await sign();
      for (const token of [before, after]) expect(await verifier().verify(token), `${at}`).toEqual(claims);
      await rotateSigningKey(ports);
      expect(await verifier().verify(after), `${at}`).toEqual(claims);
    }
  },
);

it('a key follows from its secret alone', () => {
  const text = newSigningSecret(randomBytes);
  expect(signingKeyOf(text).published).toEqual(signingKeyOf(text).published);
  expect(signingKeyOf(text).privateKey.asymmetricKeyType).toBe('ed25519');
});
