import type { Context } from 'aws-lambda';
import type { Route } from '../../functions/shared/http/route.ts';

/** The second argument of a handler. */
export function lambdaContext(route: Route, requestId: string, deadlineMs: number): Context {
  const functionName = `tripod-${route.id.replaceAll('.', '-')}`;
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
    done: retired,
    fail: retired,
    succeed: retired,
  };
}
