import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it, vi } from 'vitest';
import { invokeFunction, startFunction } from '../../../functions/adapters/lambda/invoke-function.ts';
import { INVOCATION_VERSION } from '../../../functions/shared/invocation-version.ts';
import { invokedHandler } from '../../../functions/shared/invoked-function.ts';

const context = { getRemainingTimeInMillis: () => 1000 };
const echo = invokedHandler<object, object>(
  () => null,
  async (event) => event,
);

describe('a function that another one invokes', () => {
  it('understands a caller from before calls had a version', async () => {
    expect(await echo({ code: '1' }, context)).toEqual({ result: { code: '1' } });
  });

  it('does not see the version of a call that it understands', async () => {
    const event = { code: '1', invocation: { version: INVOCATION_VERSION } };
    expect(await echo(event, context)).toEqual({ result: { code: '1' } });
  });

  it.each([
    [INVOCATION_VERSION + 1, 'deploy the called service again'],
    [0, 'deploy the calling service again'],
  ])('refuses version %i as a passing failure, and says which service to deploy', async (version, advice) => {
    expect(await echo({ invocation: { version } }, context)).toEqual({
      refused: { status: 503, code: 'version_mismatch', message: expect.stringContaining(advice) },
    });
  });
});

it('a caller sends its version with every event, whether it waits or not', async () => {
  vi.stubEnv('FUNCTION_NAMES', 'tripod-test');
  const lambda = mockClient(LambdaClient);
  const payload = new TextEncoder().encode('{"result":1}');
  lambda.on(InvokeCommand).resolves({ Payload: Object.assign(payload, { transformToString: () => '{"result":1}' }) });
  const id = 'sandbox.run-program';
  expect(await invokeFunction({ id }, { code: '1' }, new AbortController().signal)).toEqual({ result: 1 });
  await startFunction({ id }, { code: '2' });
  const sent = lambda.commandCalls(InvokeCommand).map(({ args }) => JSON.parse(String(args[0].input.Payload)));
  expect(sent).toEqual(['1', '2'].map((code) => ({ code, invocation: { version: INVOCATION_VERSION } })));
  lambda.restore();
  vi.unstubAllEnvs();
});
