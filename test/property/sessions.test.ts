import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthRefused } from '../../functions/accounts/domain/auth-refused.ts';
import { type LoginPorts, refreshSession, startSession, type Tokens } from '../../functions/accounts/domain/log-in.ts';
import { passwordHasher } from '../../functions/accounts/domain/password.ts';
import { REFRESH_GRACE_MS } from '../../functions/accounts/domain/session.ts';
import type { User } from '../../functions/accounts/domain/user.ts';
import { DynamoSessions } from '../../functions/adapters/accounts/dynamo-sessions.ts';
import { testClock } from '../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../helpers/embedded-dynamo.ts';
import { noSecondFactor } from '../helpers/fakes.ts';

const REFRESH_SECONDS = 7 * 24 * 60 * 60;
let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** Tokens that were handed out, in the order of their generations, and what has to become of them. */
interface Family {
  readonly sessionId: string;
  readonly generations: { readonly token: string; replacedAtMs: number | null }[];
  expiresAtMs: number;
  isAlive: boolean;
}

type Step =
  | { readonly kind: 'log in' }
  | { readonly kind: 'refresh'; readonly family: number; readonly generation: number; readonly callers: number }
  | { readonly kind: 'log out' | 'forge'; readonly family: number }
  | { readonly kind: 'new password' }
  | { readonly kind: 'wait'; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('log in') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('refresh'),
      family: fc.nat(3),
      // 0: the newest; otherwise the number of rotations since it was replaced.
      generation: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3)),
      callers: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 6 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('log out', 'forge'), family: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('new password') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      seconds: fc.constantFrom(1, 9, 10, 11, 60, REFRESH_SECONDS - 1, REFRESH_SECONDS),
    }),
  },
) as fc.Arbitrary<Step>;

describe('sessions', () => {
  it('over any sequence of logins, refreshes at once, logouts, new passwords and time follow the rules', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const clock = testClock();
        let user: User = {
          userId: `usr_${randomBytes(8).toString('hex')}`,
          workspaceId: 'ws_1',
          email: 'a@example.com',
          role: 'owner',
          sessionEpoch: 0,
          createdAt: new Date(clock.now()).toISOString(),
        };
        const sessions = new DynamoSessions(dynamo.client, TABLES.accounts);
        const ports: LoginPorts = {
          sessions,
          users: { find: async () => user, findCredential: async () => null },
          signer: { sign: async ({ sessionId }) => `access ${sessionId}` },
          clock,
          random: randomBytes,
          hasher: passwordHasher(randomBytes),
          ...noSecondFactor,
          lifetimes: { accessSeconds: 1800, refreshSeconds: REFRESH_SECONDS },
        };
        const families: Family[] = [];
        const attempt = (token: string): Promise<Tokens | null> =>
          refreshSession(token, ports).catch((error: unknown) => {
            if (error instanceof AuthRefused) return null;
            throw error;
          });
        const at = (index: number) => families[families.length === 0 ? 0 : index % families.length];

        for (const now of steps) {
          if (now.kind === 'wait') clock.advance(now.seconds);
          if (now.kind === 'log in') {
            const { tokens } = await startSession(user, false, ports);
            families.push({
              sessionId: tokens.accessToken.slice('access '.length),
              generations: [{ token: tokens.refreshToken, replacedAtMs: null }],
              expiresAtMs: clock.now() + REFRESH_SECONDS * 1000,
              isAlive: true,
            });
          }
          if (now.kind === 'new password') {
            user = { ...user, sessionEpoch: user.sessionEpoch + 1 };
            for (const family of families) family.isAlive = false;
          }
          const family = 'family' in now ? at(now.family) : undefined;
          if (family === undefined) continue;
          if (now.kind === 'log out') {
            await sessions.end(family.sessionId);
            family.isAlive = false;
          }
          if (now.kind === 'forge') {
            const forged = `trt_${family.sessionId}.${randomBytes(32).toString('base64url')}`;
            expect(await attempt(forged)).toBeNull();
            // Where it had expired already, the forger found nothing to end.
            family.isAlive = false;
          }
          if (now.kind === 'refresh') {
            const chosen = family.generations.at(-1 - Math.min(now.generation, family.generations.length - 1))!;
            const newest = family.generations.at(-1)!;
            const isStanding = family.isAlive && clock.now() < family.expiresAtMs;
            const isGraced = chosen.replacedAtMs === null || clock.now() - chosen.replacedAtMs <= REFRESH_GRACE_MS;
            const outcomes = await Promise.all(Array.from({ length: now.callers }, () => attempt(chosen.token)));
            if (!isStanding || !isGraced) {
              expect(outcomes.every((outcome) => outcome === null)).toBe(true);
              if (isStanding) family.isAlive = false;
              continue;
            }
            const given = new Set(outcomes.map((outcome) => outcome?.refreshToken));
            expect(given.size).toBe(1);
            const [token] = given;
            if (chosen === newest) {
              chosen.replacedAtMs = clock.now();
              family.generations.push({ token: token!, replacedAtMs: null });
              family.expiresAtMs = clock.now() + REFRESH_SECONDS * 1000;
            } else expect(token).toBe(newest.token);
            expect(outcomes[0]?.accessToken).toBe(`access ${family.sessionId}`);
          }
        }
        const stored = JSON.stringify(await dynamo.items('accounts', 'SESSION#'));
        for (const { token } of families.flatMap(({ generations }) => generations))
          expect(stored).not.toContain(token.split('.')[1]);
      }),
      { numRuns: 60 },
    );
  });
});
