import { expect, it } from 'vitest';
import { INVOCATION_VERSION } from '../../../../functions/shared/invocation-version.ts';
import { invocationVersion } from '../../../../functions/shared/middleware/invocation-version.ts';
import { type Exchange, middy } from '../../../../functions/shared/middy.ts';

type Echo = (event: object) => Promise<object>;
const echo = middy<Exchange, Echo>(async (event: object) => event).use(invocationVersion());

it('a handler gets the event of another function without its mark', async () => {
  expect(await echo({ code: '1', invocation: { version: INVOCATION_VERSION } })).toEqual({ code: '1' });
});

it('a call of another version fails before its handler', async () => {
  await expect(echo({ invocation: { version: INVOCATION_VERSION + 1 } })).rejects.toThrow('deploy the called service');
});
