/**
 * A client of the AWS SDK that prepares nothing for a log of its calls. The SDK copies every input and output without their
 * secrets for its logger, also for the default one, which drops them: a fifth of the time that a small call takes.
 */
export function withoutCallLog<Client extends { readonly middlewareStack: { remove(name: string): boolean } }>(
  client: Client,
): Client {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
