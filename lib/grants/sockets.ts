import { allow, type GrantMaker } from './grant.ts';

/** Sending to clients of WebSockets, asking whether they are there, and ending their connections. The API comes after the functions: its id is not known. */
export const grantSockets: GrantMaker = ({ config, stack }) => {
  const methods = ['DELETE', 'GET', 'POST'] as const;
  const arnOf = (method: string) =>
    stack.formatArn({
      service: 'execute-api',
      resource: '*',
      resourceName: `${config.stage}/${method}/@connections/*`,
    });
  return [
    {
      statements: [allow(['execute-api:ManageConnections'], methods.map(arnOf))],
      // If the API has a custom name, no other address leads to it.
      ...(config.socketDomainName && { environment: { SOCKETS_ENDPOINT: `https://${config.socketDomainName}` } }),
      wildcards: methods.map((method) => ({
        resource: `arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:*/${config.stage}/${method}/@connections/*`,
        reason: 'Connections come and go, and the API is made after its functions.',
      })),
    },
  ];
};
