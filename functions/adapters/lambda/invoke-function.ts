import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { environment } from '../../shared/environment.ts';
import { markedEvent } from '../../shared/invocation-version.ts';
import { memoize } from '../../shared/memoize.ts';
import { inSpan } from '../../shared/tracing/spans.ts';
import type { Worker } from '../../shared/worker.ts';
import { withoutCallLog } from '../shared/without-call-log.ts';

/** Longer than any function that is invoked here may run: its own time-out ends the call. */
const REQUEST_TIMEOUT_MS = 6 * 60_000;

/** A function that failed of itself; it has logged why. */
export class InvocationFailed extends Error {
  override name = 'InvocationFailed';
}

const client = memoize(() =>
  withoutCallLog(
    new LambdaClient({
      // Some functions must not run twice for one call.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: 2_000, requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
    }),
  ),
);

/** Starts another function of the deployment, which continues after this one has ended. */
export async function startFunction({ id }: Pick<Worker, 'id'>, event: object): Promise<void> {
  const { FUNCTION_NAMES } = environment('FUNCTION_NAMES');
  await client().send(
    new InvokeCommand({
      FunctionName: `${FUNCTION_NAMES}-${id.replaceAll('.', '-')}`,
      InvocationType: 'Event',
      Payload: JSON.stringify(markedEvent(event)),
    }),
  );
}

/**
 * Runs another function of the deployment and waits for its result.
 * @throws InvocationFailed; the SDK's errors; an AbortError when `signal` is aborted, which the function does not notice on AWS.
 */
export async function invokeFunction<Result>(
  { id }: Pick<Worker, 'id'>,
  event: object,
  signal: AbortSignal,
): Promise<Result> {
  const { FUNCTION_NAMES } = environment('FUNCTION_NAMES');
  const FunctionName = `${FUNCTION_NAMES}-${id.replaceAll('.', '-')}`;
  const attributes = { 'faas.invoked_name': id, 'faas.invoked_provider': 'aws' };
  const { Payload, FunctionError } = await inSpan(`invoke ${id}`, { kind: 'client', attributes }, () =>
    client().send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(markedEvent(event)) }), {
      abortSignal: signal,
    }),
  );
  if (FunctionError !== undefined) throw new InvocationFailed(`${id} failed: ${FunctionError}`);
  return JSON.parse(Payload!.transformToString()) as Result;
}
