import type { APIGatewayProxyEvent } from 'aws-lambda';
import { LambdaStream } from './lambda-stream.ts';
import type { Endpoint } from './pipeline.ts';
import type { Frame } from './reply.ts';

/** Proxies between us and a client close connections that are silent for half a minute. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ': keep-alive\n\n';

/** The Lambda handler of an endpoint that may reply a stream of server-sent events; a whole reply goes out in one piece. */
export function eventStreamHandler(endpoint: Endpoint, { heartbeatMs = HEARTBEAT_MS } = {}) {
  return awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, raw, context) => {
    const stream = new LambdaStream(raw, context);
    await endpoint(event, stream.context, async (response, signal) => {
      stream.begin(response);
      if (typeof response.body === 'string') return stream.end(response.body);
      // The head goes out with the first bytes.
      if (response.startsEarly) await stream.write(HEARTBEAT, signal);
      const heartbeat = setInterval(() => void stream.write(HEARTBEAT), heartbeatMs);
      try {
        for await (const frame of response.body) {
          await stream.write(eventText(frame), signal);
          heartbeat.refresh();
        }
        await stream.end();
      } finally {
        clearInterval(heartbeat);
      }
    });
  });
}

/** The lines of an event. @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export function eventText({ event, data }: Frame): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}
