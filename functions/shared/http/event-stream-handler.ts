import { streamed } from './execution-modes.ts';
import type { Endpoint } from './pipeline.ts';
import { isFrames, writeFrames } from './write-frames.ts';

/** The Lambda handler of an endpoint that may reply a stream of server-sent events; a whole reply goes out in one piece. */
export function eventStreamHandler(endpoint: Endpoint, { heartbeatMs }: { readonly heartbeatMs?: number } = {}) {
  return endpoint(
    streamed((stream, run) =>
      run(async (response, signal) => {
        if (isFrames(response)) return writeFrames(stream, response, signal, heartbeatMs);
        stream.begin(response);
        await stream.end(response.body as string);
      }),
    ),
  );
}
