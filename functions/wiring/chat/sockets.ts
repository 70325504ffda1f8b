import type { SocketLine } from '../../chat/domain/sockets.ts';
import type { MessageToAnswer, SocketEndpoint } from '../../chat/sockets/messages.ts';
import { ANSWER_MESSAGE } from '../../chat/sockets/routes.ts';
import { environment } from '../../shared/environment.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';

/** Starts a function that answers a message, and that continues when this one has ended. */
export async function startAnswer(message: MessageToAnswer): Promise<void> {
  const { startFunction } = await import('../../adapters/lambda/invoke-function.ts');
  await startFunction({ id: ANSWER_MESSAGE }, message);
}

/** The way back to the clients of an API. */
export function socketLine({ apiId, stage }: SocketEndpoint): SocketLine {
  const line = memoizeAsync(async () => {
    const { apiGatewaySockets } = await import('../../adapters/chat/api-gateway-sockets.ts');
    const { SOCKETS_ENDPOINT, AWS_REGION } = environment('SOCKETS_ENDPOINT', 'AWS_REGION');
    return apiGatewaySockets(SOCKETS_ENDPOINT ?? `https://${apiId}.execute-api.${AWS_REGION}.amazonaws.com/${stage}`);
  });
  return {
    send: async (...message) => (await line()).send(...message),
    close: async (connectionId) => (await line()).close(connectionId),
    isOpen: async (connectionId) => (await line()).isOpen(connectionId),
  };
}
