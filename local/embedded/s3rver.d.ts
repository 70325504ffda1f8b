declare module '@20minutes/s3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** s3rver ships no types; only what the embedded S3 uses. */
  class S3rver {
    constructor(options: {
      silent: boolean;
      directory: string;
      allowMismatchedSignatures: boolean;
      vhostBuckets: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    readonly logger: { close(): void };
    configureBuckets(): Promise<unknown>;
    /** The listener for the requests of a server. */
    callback(): (request: IncomingMessage, response: ServerResponse) => unknown;
  }
  export = S3rver;
}
