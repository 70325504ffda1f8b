import { mkdir } from 'node:fs/promises';
import S3rver from 's3rver';
import type { RunningServer } from './loopback.ts';

/** s3rver knows this one pair; it checks the expiry of presigned URLs, but no V4 signature. The other servers take any. */
const credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const;

export interface EmbeddedS3 extends RunningServer {
  readonly credentials: typeof credentials;
}

/** S3 with its objects as files under `directory`. */
export async function startS3(directory: string, bucketNames: readonly string[]): Promise<EmbeddedS3> {
  await mkdir(directory, { recursive: true });
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: bucketNames.map((name) => ({ name, configs: [] })),
  });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}`,
    credentials,
    async stop() {
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
    },
  };
}
