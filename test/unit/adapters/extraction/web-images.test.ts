import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import {
  type OwnUploads,
  WebImages,
  type WebImagesOptions,
} from '../../../../functions/adapters/extraction/web-images.ts';
import { ImageFetchFailed } from '../../../../functions/extraction/domain/image-source.ts';
import { ImageRefused } from '../../../../functions/extraction/domain/reading/image-refused.ts';
import { listening } from '../../../helpers/listening.ts';
import { selfSigned } from '../../../helpers/self-signed.ts';

const PICTURE = Buffer.from('the bytes of a picture');
const { listen, serve, closedPort } = listening();

const sendPicture = (_: IncomingMessage, response: ServerResponse) => void response.end(PICTURE);

/** A resolver that knows some names and counts what it is asked. Addresses resolve to themselves, as the system's do. */
function names(known: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    const addresses = known[host] ?? (/^[\d.]+$|:/.test(host) ? [host] : null);
    if (addresses === null) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return addresses;
  };
  return { resolve, asked };
}

async function fetchImage(url: string, options: Partial<WebImagesOptions> = {}): Promise<Uint8Array> {
  const images = new WebImages({ allowLoopback: false, resolve: names({}).resolve, ...options });
  return (await images.fetch(url, 'ws_1')).bytes;
}

const fetchLocally = (url: string, options: Partial<WebImagesOptions> = {}) =>
  fetchImage(url, { allowLoopback: true, ...options });

async function failureOf(fetching: Promise<unknown>): Promise<ImageFetchFailed> {
  const error = await fetching.then(
    () => expect.fail('It was fetched.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ImageFetchFailed);
  return error as ImageFetchFailed;
}

describe('addresses that are not on the public internet', () => {
  it.each([
    'https://127.0.0.1/a.png',
    'https://2130706433/a.png',
    'https://0x7f000001/a.png',
    'https://0177.0.0.1/a.png',
    'https://127.1/a.png',
    'https://0/a.png',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.7/a.png',
    'https://100.64.0.1/a.png',
    'https://[::1]/a.png',
    'https://[::]/a.png',
    'https://[::ffff:127.0.0.1]/a.png',
    'https://[::ffff:7f00:1]/a.png',
    'https://[::127.0.0.1]/a.png',
    'https://[64:ff9b::10.0.0.1]/a.png',
    'https://[2002:7f00:1::]/a.png',
    'https://[fe80::1]/a.png',
    'https://[fd00:ec2::254]/latest/meta-data/',
  ])('%s is refused', async (url) => {
    expect((await failureOf(fetchImage(url))).message).toMatch(/not on the public internet/);
  });

  it('refuses a name for one, without revealing the address', async () => {
    const { resolve } = names({ 'pictures.example': ['10.11.12.13'] });
    const { message } = await failureOf(fetchImage('https://pictures.example/a.png', { resolve }));
    expect(message).toMatch(/not on the public internet/);
    expect(message).not.toContain('10.11');
  });

  it('refuses a name with a single private address', async () => {
    const { resolve } = names({ 'pictures.example': ['93.184.216.34', '10.11.12.13'] });
    expect((await failureOf(fetchImage('https://pictures.example/a.png', { resolve }))).message).toMatch(/not on the/);
  });

  it('refuses a name without addresses, and an unknown one', async () => {
    const { resolve } = names({ 'empty.example': [] });
    await failureOf(fetchImage('https://empty.example/a.png', { resolve }));
    const { message } = await failureOf(fetchImage('https://unknown.example/a.png', { resolve }));
    expect(message).toMatch(/host name is not known/);
  });

  it('resolves localhost as the system does, and refuses it', async () => {
    await failureOf(new WebImages({ allowLoopback: false }).fetch('https://localhost/a.png', 'ws_1'));
  });

  it('makes no connection before it has judged', async () => {
    let connections = 0;
    const server = http.createServer(sendPicture).on('connection', () => connections++);
    const port = await listen(server);
    await failureOf(fetchImage(`https://127.0.0.1:${port}/a.png`));
    await failureOf(fetchImage(`http://127.0.0.1:${port}/a.png`));
    expect(connections).toBe(0);
  });

  it.each(['http://169.254.169.254/', 'https://10.0.0.1/', 'http://0.0.0.0/', 'http://[::ffff:127.0.0.1]/'])(
    'are refused in local mode too: %s',
    async (url) => void (await failureOf(fetchLocally(url))),
  );
});

describe('addresses that are not acceptable as they are written', () => {
  it.each([
    ['ftp://93.184.216.34/a.png', /must start with https/],
    ['file:///etc/passwd', /must start with https/],
    ['http://93.184.216.34/a.png', /must start with https/],
    ['https://user:secret@93.184.216.34/a.png', /user name or password/],
    ['https://93.184.216.34:22/a.png', /port 22/],
    ['not an address', /not a valid address/],
  ])('%s', async (url, message) => {
    expect((await failureOf(fetchImage(url))).message).toMatch(message);
  });

  it('takes plain http from this machine only, and only in local mode', async () => {
    const base = await serve(sendPicture);
    expect(await fetchLocally(`${base}/a.png`)).toEqual(PICTURE);
    await failureOf(fetchImage(`${base}/a.png`));
    await failureOf(fetchLocally('http://93.184.216.34/a.png'));
  });
});

describe('pinning', () => {
  it('connects to the address that was judged, and keeps the name in the Host header', async () => {
    let host: string | undefined;
    const base = await serve((request, response) => {
      host = request.headers.host;
      response.end(PICTURE);
    });
    const { port } = new URL(base);
    // A name that would lead elsewhere when it is asked for the second time.
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const resolve = async () => answers[asked++]!;
    expect(await fetchLocally(`http://rebinding.example:${port}/a.png`, { resolve })).toEqual(PICTURE);
    expect(host).toBe(`rebinding.example:${port}`);
    expect(asked).toBe(1);
  });

  it('keeps the name in TLS: server name and certificate', async () => {
    const { key, cert } = selfSigned('pictures.example');
    let serverName: string | false = false;
    const server = https.createServer({ key, cert }, (request, response) => {
      serverName = (request.socket as tls.TLSSocket).servername ?? false;
      response.end(PICTURE);
    });
    const port = await listen(server);
    const { resolve } = names({ 'pictures.example': ['127.0.0.1'], 'others.example': ['127.0.0.1'] });
    const url = (host: string) => `https://${host}:${port}/a.png`;
    expect((await failureOf(fetchLocally(url('pictures.example'), { resolve }))).message).toMatch(/certificate/);
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, cert]);
    try {
      expect(await fetchLocally(url('pictures.example'), { resolve })).toEqual(PICTURE);
      expect(serverName).toBe('pictures.example');
      expect((await failureOf(fetchLocally(url('others.example'), { resolve }))).message).toMatch(/certificate/);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
  });

  it('sends nothing that identifies a caller', async () => {
    let headers: http.IncomingHttpHeaders = {};
    const base = await serve((request, response) => {
      headers = request.headers;
      response.end(PICTURE);
    });
    await fetchLocally(`${base}/a.png`);
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(headers['accept-encoding']).toBe('identity');
  });
});

describe('redirects', () => {
  const redirecting = (target: (path: string) => string | null) =>
    serve((request, response) => {
      const location = target(request.url!);
      if (location === null) response.end(PICTURE);
      else response.writeHead(302, { location }).end();
    });

  it('are followed three times and no more', async () => {
    const base = await redirecting((path) => (path === '/0' ? null : `/${Number(path.slice(1)) - 1}`));
    expect(await fetchLocally(`${base}/3`)).toEqual(PICTURE);
    expect((await failureOf(fetchLocally(`${base}/4`))).message).toMatch(/more than 3 times/);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/a.png',
    'https://metadata.example/',
    'file:///etc/passwd',
    'http://93.184.216.34/a.png',
    '//[::ffff:10.0.0.1]/',
  ])('to %s are refused', async (location) => {
    const base = await redirecting(() => location);
    const { resolve } = names({ 'metadata.example': ['169.254.169.254'] });
    await failureOf(fetchLocally(`${base}/a.png`, { resolve }));
  });

  it('without or with a broken location are refused', async () => {
    const base = await serve((request, response) =>
      response.writeHead(302, request.url === '/none' ? {} : { location: 'http://[broken' }).end(),
    );
    // Without a location the redirect leads to the same address over and over.
    await failureOf(fetchLocally(`${base}/none`));
    expect((await failureOf(fetchLocally(`${base}/broken`))).message).toMatch(/redirected to something/);
  });
});

describe('answers', () => {
  it.each([500, 404, 403, 204, 206, 304])('with status %i are failures', async (status) => {
    const base = await serve((_, response) => response.writeHead(status).end());
    expect((await failureOf(fetchLocally(`${base}/a.png`))).message).toContain(`status ${status}`);
  });

  it('that drip are given up when the time is over', async () => {
    const base = await serve((_, response) => {
      response.writeHead(200);
      const dripping = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(dripping));
    });
    expect((await failureOf(fetchLocally(`${base}/a.png`, { timeoutMs: 200 }))).message).toMatch(/within 0.2 seconds/);
  });

  it('that never start are given up when the time is over', async () => {
    const base = await serve(() => undefined);
    expect((await failureOf(fetchLocally(`${base}/a.png`, { timeoutMs: 100 }))).message).toMatch(/within/);
  });

  it('of name servers that never come are given up as well', async () => {
    const resolve = (_: string, signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await failureOf(fetchLocally('https://slow.example/a.png', { resolve, timeoutMs: 50 }));
  });

  it('that announce too much are refused unread', async () => {
    const base = await serve((_, response) => response.writeHead(200, { 'content-length': '1001' }).write('.'));
    await expect(fetchLocally(`${base}/a.png`, { maxBytes: 1000 })).rejects.toMatchObject({
      constructor: ImageRefused,
      refusal: 'image_too_large',
    });
  });

  it('endless bodies are cut at the limit', async () => {
    let sent = 0;
    let closed!: () => void;
    const stopped = new Promise<void>((done) => (closed = done));
    const base = await serve((_, response) => {
      response.writeHead(200).on('close', closed);
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', pump);
      pump();
    });
    await expect(fetchLocally(`${base}/a.png`, { maxBytes: 100_000 })).rejects.toMatchObject({
      refusal: 'image_too_large',
    });
    await stopped;
    expect(sent).toBeLessThan(50_000_000);
  });

  it('of exactly the limit are taken', async () => {
    const base = await serve((_, response) => response.end(Buffer.alloc(1000)));
    expect(await fetchLocally(`${base}/a.png`, { maxBytes: 1000 })).toHaveLength(1000);
  });

  it('that are packed are refused: nothing is unpacked', async () => {
    const base = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'));
    expect((await failureOf(fetchLocally(`${base}/a.png`))).message).toMatch(/content-encoding/);
  });

  it('that end before their announced length are failures', async () => {
    const base = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => response.destroy());
    });
    await failureOf(fetchLocally(`${base}/a.png`));
  });

  it('that are not HTTP, and closed ports, are failures that name no address', async () => {
    const net = await import('node:net');
    const port = await listen(net.createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH\r\n')));
    expect((await failureOf(fetchLocally(`http://127.0.0.1:${port}/`))).message).toMatch(/does not speak HTTP/);
    const { message } = await failureOf(fetchLocally(`http://127.0.0.1:${await closedPort()}/`));
    expect(message).toMatch(/no connection/);
    expect(message).not.toContain('127.0.0.1');
  });
});

it('leaves uploads of the workspace to the bucket, and all else to the web', async () => {
  const base = await serve(sendPicture);
  const uploads: OwnUploads = {
    read: async (url, workspaceId) =>
      url.pathname === `/bucket/${workspaceId}/u` ? { bytes: Buffer.from('upload'), uploadKey: 'u' } : null,
  };
  expect(await fetchLocally(`${base}/bucket/ws_1/u`, { uploads })).toEqual(Buffer.from('upload'));
  expect(await fetchLocally(`${base}/bucket/ws_2/u`, { uploads })).toEqual(PICTURE);
});
