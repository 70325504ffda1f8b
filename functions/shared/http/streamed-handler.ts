import { finished } from 'node:stream/promises';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** The connection is cut when nothing has been sent for 5 minutes, at its beginning too. */
const HEAD_AFTER_MS = 4 * 60_000;
const BEAT_MS = 60_000;

/** From so long after its start on, an answer may have begun as a 200: what goes wrong then must be told in its body. */
export const LATE_AFTER_MS = HEAD_AFTER_MS - 5_000;

/** As `apiHandler` makes it. */
type Buffered = (event: APIGatewayProxyEvent, context: never, options: never) => Promise<APIGatewayProxyResult>;

/**
 * Answers for up to 15 minutes, where API Gateway gives up on other handlers after 29 s. Status and headers wait for the
 * answer as long as they can; then they go out as those of a 200, and spaces follow, which JSON does not mind.
 */
export function streamedHandler(answer: Buffered, { headAfterMs = HEAD_AFTER_MS, beatMs = BEAT_MS } = {}) {
  return awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, raw, context) => {
    let early: ReturnType<typeof begin> | null = null;
    const beat = () => {
      early ??= begin(raw, { statusCode: 200, headers: { 'content-type': 'application/json' } });
      early.write(' ');
      timer = setTimeout(beat, beatMs);
    };
    let timer = setTimeout(beat, headAfterMs);
    try {
      const { statusCode, headers = {}, body } = await answer(event, context as never, {} as never);
      if (early !== null && statusCode !== 200)
        throw new Error(`The answer has begun as a 200, and has become a ${statusCode}: ${body}`);
      const stream = early ?? begin(raw, { statusCode, headers });
      stream.end(body);
      await finished(stream);
    } finally {
      clearTimeout(timer);
    }
  });
}

function begin(raw: awslambda.HttpResponseStream, head: Record<string, unknown>) {
  return awslambda.HttpResponseStream.from(raw, head);
}
