import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ShownPage {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A website on loopback, whose pages a test sets by their paths. Pages with a body have an ETag. */
export async function startWebsite() {
  const pages = new Map<string, ShownPage>();
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly status: number }[] = [];
  const server = createServer(({ url: path = '', headers }, response) => {
    const {
      status = 200,
      type = 'text/html; charset=utf-8',
      body = '',
      headers: more = {},
    } = pages.get(path) ?? {
      status: 404,
    };
    const etag = `"${Buffer.from(body).toString('base64url').slice(-40)}"`;
    const answered = status === 200 && headers['if-none-match'] === etag ? 304 : status;
    requests.push({ path, headers, status: answered });
    response.writeHead(answered, { 'content-type': type, etag, ...more }).end(answered === 304 ? '' : body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    requests,
    /** Paths that were asked for since the last call, with the status of each answer. */
    asked: () => requests.splice(0).map(({ path, status }) => `${path} ${status}`),
    stop: () => void server.close(),
  };
}
