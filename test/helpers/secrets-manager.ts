import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface EmbeddedSecrets {
  readonly url: string;
  /** Texts of secrets by their ids. */
  readonly texts: Map<string, string>;
  stop(): Promise<void>;
}

/** As much of AWS Secrets Manager as the service calls: reading the text of a secret, and replacing it. */
export async function startSecretsManager(secrets: Readonly<Record<string, string>>): Promise<EmbeddedSecrets> {
  const texts = new Map(Object.entries(secrets));
  const server = createServer(async (request, response) => {
    const action = String(request.headers['x-amz-target']).split('.')[1];
    const { SecretId, SecretString } = JSON.parse(await text(request)) as { SecretId: string; SecretString?: string };
    if (action === 'PutSecretValue' && SecretString !== undefined) texts.set(SecretId, SecretString);
    const known = texts.get(SecretId);
    response.writeHead(known === undefined ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(
      JSON.stringify(
        known === undefined
          ? { __type: 'ResourceNotFoundException', message: 'There is no such secret.' }
          : { Name: SecretId, SecretString: known },
      ),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
