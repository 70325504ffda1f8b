import type { Random } from '../../../bench/corpus/random.ts';
import { rawConnection } from '../../helpers/raw-http.ts';
import { Finding } from '../finding.ts';
import { mutated } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

/** An unfinished request may be waited for; nothing that it asks for takes so long. */
const PATIENCE_MS = 300;
/** HTTP's statuses for requests that a server need not understand. */
const NOT_OURS = new Set([501, 503, 505]);

/** Bytes that are nearly HTTP. */
export const requests: FuzzTarget = {
  name: 'requests',
  async start({ url, apiKey }) {
    const { host } = new URL(url);
    const samples = [
      `GET /api/v1/balance HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${apiKey}\r\n\r\n`,
      `GET /api/v1/ledger?limit=3&cursor=x HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\nCookie: a=b; c=d\r\n\r\n`,
      `POST /api/v1/execute HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      `POST /api/v1/auth/login HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      `GET /api/v1/ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      `POST /api/v1/webhooks/handle/slack?channel=%00 HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`,
    ].map((text) => Buffer.from(text, 'latin1'));
    return {
      input: async (random: Random) => mutated(random.pick(samples), random),
      async attempt(input) {
        const { socket, received } = await rawConnection(url);
        socket.end(input);
        const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
        const answer = await received;
        clearTimeout(timer);
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
        if (status >= 500 && !NOT_OURS.has(status)) throw new Finding(`A request was answered with: ${answer}`);
      },
    };
  },
};
