import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { memoizeAsync } from '../../functions/shared/memoize-async.ts';
import { writePrivateJson } from '../private-file.ts';
import { listenOnLoopback, type RunningServer } from './loopback.ts';
import { removeObjectsBefore } from './s3-expiry.ts';
import { type KeyPair, type Refusal, refusalOf } from './signature-v4.ts';

export interface EmbeddedS3 extends RunningServer {
  /** The one key of a data directory; the other servers take it too. */
  readonly key: KeyPair;
  /** Removes the objects of a bucket that were last written before then. */
  removeBefore(bucketName: string, beforeMs: number): Promise<void>;
}

/** The one key id that s3rver knows. */
const ACCESS_KEY_ID = 'S3RVER';

/** The parts of presigned addresses: both survive a restart. */
interface Identity {
  readonly port: number;
  readonly secretAccessKey: string;
}

const MIN_SECRET_CHARACTERS = 32;

/**
 * S3 with its objects as files under `directory`, and its port and secret in `<directory>.json`. Both stay the same from start to start,
 * unless another program has taken the port meanwhile.
 */
export async function startS3(directory: string, bucketNames: readonly string[]): Promise<EmbeddedS3> {
  await mkdir(directory, { recursive: true });
  const identityFile = `${directory}.json`;
  const { port, secretAccessKey } = await readIdentity(identityFile);
  let close = () => {};
  // It takes longer to load than all else of the stores, and many a service is never sent a picture by address.
  const objects = memoizeAsync(async () => {
    const s3 = await openS3rver(directory, bucketNames);
    close = () => s3.logger.close();
    return s3.callback();
  });
  const key = { accessKeyId: ACCESS_KEY_ID, secretAccessKey };
  const { url, stop } = await listen(checked(objects, key), port);
  const listening = Number(new URL(url).port);
  if (listening !== port) await writePrivateJson(identityFile, { port: listening, secretAccessKey });
  return {
    url,
    key,
    removeBefore: (bucketName, beforeMs) => removeObjectsBefore(join(directory, bucketName), beforeMs),
    async stop() {
      await stop();
      close();
    },
  };
}

async function openS3rver(directory: string, bucketNames: readonly string[]) {
  const { default: S3rver } = await import('@20minutes/s3rver');
  const s3 = new S3rver({
    silent: true,
    directory,
    // It knows one public secret; signatures are checked before it sees a request.
    allowMismatchedSignatures: true,
    vhostBuckets: false,
    configureBuckets: bucketNames.map((name) => ({ name, configs: [] })),
  });
  await s3.configureBuckets();
  return s3;
}

async function listen(answer: RequestListener, port: number): Promise<RunningServer> {
  try {
    return await listenOnLoopback(answer, port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listenOnLoopback(answer);
  }
}

type S3Error = Pick<Refusal, 'status' | 'message'> & { readonly code: string };

/** s3rver serves requests without a signature; S3 does not. */
function checked(open: () => Promise<RequestListener>, key: KeyPair): RequestListener {
  return (request, response) => {
    const { method = '', url: target = '', headers } = request;
    // As the buckets of a deployment with a console: what a page may do is decided by the address that it was given.
    if (headers.origin !== undefined) response.setHeader('access-control-allow-origin', '*');
    if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
      response
        .writeHead(204, { 'access-control-allow-methods': 'GET, PUT', 'access-control-allow-headers': 'content-type' })
        .end();
      return;
    }
    const refusal = refusalOf({ service: 's3', method, target, headers }, key, Date.now());
    if (refusal === null) {
      open().then(
        (serve) => serve(request, response),
        (error: unknown) => {
          console.error('embedded S3 cannot open its buckets:', error);
          refuse(response, { status: 500, code: 'InternalError', message: 'The buckets cannot be opened.' });
          request.resume();
        },
      );
      return;
    }
    refuse(response, refusal);
    // A client that is still sending would take a closed connection for a failure of the network.
    request.resume();
  };
}

function refuse(response: ServerResponse, { status, code, message }: S3Error): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`,
    );
}

/** Messages contain names of headers, which come from the client. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function readIdentity(file: string): Promise<Identity> {
  try {
    return identityOf(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { port: 0, secretAccessKey: randomBytes(32).toString('hex') };
    throw new Error(`${file} cannot be read as port and secret of the embedded S3; delete it`, { cause: error });
  }
}

/** By hand: the start of the service waits for the stores, and nothing else of theirs needs a library of schemas. */
function identityOf({ port, secretAccessKey }: Partial<Record<keyof Identity, unknown>>): Identity {
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('port is not a number from 0 to 65535');
  if (typeof secretAccessKey !== 'string' || secretAccessKey.length < MIN_SECRET_CHARACTERS)
    throw new Error(`secretAccessKey is not text of at least ${MIN_SECRET_CHARACTERS} characters`);
  return { port, secretAccessKey };
}
