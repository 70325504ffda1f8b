import type { Context } from 'aws-lambda';
import type { Route } from '../functions/shared/http/route.ts';

export interface LocalContext extends Context {
  /** Aborted when the client goes away or the time is over, where Lambda would continue unheard or be ended. */
  readonly signal: AbortSignal;
}

/** The start of the names of functions. */
export const FUNCTION_NAME_PREFIX = 'tripod';

/** The last argument of a handler. */
export function lambdaContext(
  route: Pick<Route, 'id' | 'limits'>,
  requestId: string,
  deadlineMs: number,
  signal: AbortSignal = new AbortController().signal,
): LocalContext {
  const functionName = `${FUNCTION_NAME_PREFIX}-${route.id.replaceAll('.', '-')}`;
  const retired = () => {
    throw new Error('done, fail and succeed are retired: return a promise');
  };
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:ap-northeast-2:000000000000:function:${functionName}`,
    memoryLimitInMB: String(route.limits.memoryMb),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
    signal,
    done: retired,
    fail: retired,
    succeed: retired,
  };
}
