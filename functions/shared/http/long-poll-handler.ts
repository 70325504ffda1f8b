import { streamed } from './execution-modes.ts';
import type { Endpoint } from './pipeline.ts';
import { isFrames, writeFrames } from './write-frames.ts';

/** The connection is cut when nothing has been sent for 5 minutes, at its starting too. */
const HEAD_AFTER_MS = 4 * 60_000;
const HEARTBEAT_MS = 60_000;

/** From so long after its start on, a response may have started as a 200: what goes wrong then must be a part of its body. */
export const HEAD_DEADLINE_MS = HEAD_AFTER_MS - 5_000;

const EARLY_HEAD = { statusCode: 200, headers: { 'content-type': 'application/json' } };

/**
 * The Lambda handler of an endpoint that takes up to 15 minutes, where API Gateway gives up on other handlers after 29 s.
 * Status and headers wait for the response as long as they can; then they go out as those of a 200, and a space follows as
 * a heartbeat every minute, which JSON does not mind. A stream of server-sent events starts before that.
 */
export function longPollHandler(endpoint: Endpoint, { headAfterMs = HEAD_AFTER_MS, heartbeatMs = HEARTBEAT_MS } = {}) {
  return endpoint(
    streamed(async (stream, run) => {
      const beat = () => {
        stream.begin(EARLY_HEAD);
        void stream.write(' ');
        timer = setTimeout(beat, heartbeatMs);
      };
      let timer = setTimeout(beat, headAfterMs);
      try {
        await run(async (response, signal) => {
          clearTimeout(timer);
          if (isFrames(response)) return writeFrames(stream, response, signal);
          const { statusCode, body } = response;
          if (stream.hasBegun && statusCode !== 200)
            throw new Error(`The response has started as a 200, and has become a ${statusCode}: ${body}`);
          stream.begin(response);
          await stream.end(body as string);
        });
      } finally {
        clearTimeout(timer);
      }
    }),
  );
}
