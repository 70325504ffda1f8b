import type { QueueId } from '../../functions/shared/resources.ts';
import { startLambda } from './lambda.ts';
import { type EmbeddedSockets, startSockets } from './sockets.ts';
import type { StoreCalls, Stores } from './stores.ts';

export interface EmbeddedAws {
  /** Settings for the SDK and the functions: endpoints, credentials, region and the resources' names. */
  readonly environment: Readonly<Record<string, string>>;
  readonly dynamodb: Pick<StoreCalls, 'execute' | 'conflictNextTransactions'>;
  readonly sockets: EmbeddedSockets;
  queue(id: QueueId): { readonly url: string; readonly deadLettersUrl: string };
  /** Removes what has expired by then: items by their table's attribute, objects by their bucket's days. */
  removeExpired(nowMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** DynamoDB, S3 and SQS in a separate thread; Lambda and the sockets of API Gateway in this one, with the handlers. */
export async function startEmbeddedAws(stores: Stores): Promise<EmbeddedAws> {
  const [lambda, sockets] = await Promise.all([startLambda(stores.key), startSockets(stores.key)]);
  return {
    dynamodb: stores,
    sockets,
    queue: (id) => stores.queues[id]!,
    environment: { ...stores.environment, AWS_ENDPOINT_URL_LAMBDA: lambda.url, SOCKETS_ENDPOINT: sockets.url },
    removeExpired: stores.removeExpired,
    async stop() {
      await Promise.all([lambda.stop(), sockets.stop()]);
      await stores.stop();
    },
  };
}
