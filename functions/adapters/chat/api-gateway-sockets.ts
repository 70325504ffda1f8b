import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { SocketGone, type SocketLine } from '../../chat/domain/sockets.ts';

/** Clients of WebSockets, by API Gateway. @param endpoint of the API's stage */
export function apiGatewaySockets(endpoint: string): SocketLine {
  const client = new ApiGatewayManagementApiClient({ endpoint });
  return {
    async send(connectionId, message) {
      try {
        const command = new PostToConnectionCommand({ ConnectionId: connectionId, Data: JSON.stringify(message) });
        await client.send(command);
      } catch (error) {
        throw error instanceof GoneException ? new SocketGone('The client has gone away.', { cause: error }) : error;
      }
    },
    async close(connectionId) {
      try {
        await client.send(new DeleteConnectionCommand({ ConnectionId: connectionId }));
      } catch (error) {
        if (!(error instanceof GoneException)) throw error;
      }
    },
    async isOpen(connectionId) {
      try {
        await client.send(new GetConnectionCommand({ ConnectionId: connectionId }));
        return true;
      } catch (error) {
        if (error instanceof GoneException) return false;
        throw error;
      }
    },
  };
}
