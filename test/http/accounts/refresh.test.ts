import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rotateSigningKeyWorker } from '../../../functions/accounts/workers.ts';
import { aroundHandler } from '../../../gateway/around-handler.ts';
import { login, me, messageOf, refresh, tokensOf } from '../../helpers/auth.ts';
import { type EmbeddedSecrets, startSecretsManager } from '../../helpers/secrets-manager.ts';
import { type InProcessService, startService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

let service: InProcessService;
let owner: TestWorkspace;
let secrets: EmbeddedSecrets;
// As on AWS: the signing key is in Secrets Manager, and functions get at it by their own rights.
beforeAll(async () => {
  service = await startService();
  secrets = await startSecretsManager({ 'test-signing-key': 'any text of a vault' });
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.url;
  process.env.SIGNING_KEY_SECRET = 'test-signing-key';
  process.env.SIGNING_KEY_FILE = '';
});
beforeEach(async () => {
  owner = await createWorkspace();
});
afterAll(async () => {
  await secrets.stop();
  await service.stop();
});

describe('a refresh', () => {
  it('a refresh gives new tokens, and the session continues with them', async () => {
    const first = tokensOf(await login(service, owner));
    const second = tokensOf(await refresh(service, first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await me(service, second.access_token)).status).toBe(200);
    // The first one stays good until it expires: the session is the same.
    expect((await me(service, first.access_token)).status).toBe(200);
    tokensOf(await refresh(service, second.refresh_token));
  });

  it('sent again at once, since its response was lost, gives the same refresh token', async () => {
    const { refresh_token } = tokensOf(await login(service, owner));
    const [one, two] = [await refresh(service, refresh_token), await refresh(service, refresh_token)].map(tokensOf);
    expect(two?.refresh_token).toBe(one?.refresh_token);
    tokensOf(await refresh(service, one?.refresh_token));
  });

  it('of one token forty times at once is one family, and no error', async () => {
    const { refresh_token } = tokensOf(await login(service, owner));
    const answers = await Promise.all(Array.from({ length: 40 }, () => refresh(service, refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    const next = new Set(answers.map((answer) => tokensOf(answer).refresh_token));
    expect(next.size).toBe(1);
    tokensOf(await refresh(service, [...next][0]));
  });

  it('and its access tokens survive a rotation of the signing key', async () => {
    const { access_token, refresh_token } = tokensOf(await login(service, owner));
    const { handler } = await import('../../../functions/accounts/handlers/rotate-signing-key.ts');
    const before = secrets.texts.get('test-signing-key');
    await aroundHandler(rotateSigningKeyWorker.id, handler)();
    expect(secrets.texts.get('test-signing-key')).not.toBe(before);
    expect((await me(service, access_token)).status).toBe(200);
    const { access_token: next } = tokensOf(await refresh(service, refresh_token));
    expect((await me(service, next)).status).toBe(200);
  });

  it('with what never was its token ends the session', async () => {
    const { refresh_token, access_token } = tokensOf(await login(service, owner));
    const answer = await refresh(service, `${refresh_token.slice(0, -4)}AAAA`);
    expect(answer.status).toBe(401);
    expect(messageOf(answer)).toContain('Log in again');
    expect((await refresh(service, refresh_token)).status).toBe(401);
    expect((await me(service, access_token)).status).toBe(401);
  });

  it.each(['trt_', 'x', 'trt_a.b', `trt_${'A'.repeat(22)}.${'A'.repeat(43)}`, 'tpk_abc', 'é'])(
    'with %j is 401',
    async (token) => {
      expect((await refresh(service, token)).status).toBe(401);
    },
  );

  it.each([[''], [null], [7], ['x'.repeat(1_000_000)], [undefined]])(
    'a refresh (%#) without a token is 400',
    async (token) => {
      const answer = await refresh(service, token);
      expect(answer.status).toBe(400);
      expect(messageOf(answer)).toContain('refresh_token: ');
    },
  );
});
