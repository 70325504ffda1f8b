import { allow, type GrantMaker } from './grant.ts';

/** Asking the provider of web search, with its key; nothing if the deployment names no provider. */
export const askWebSearch: GrantMaker = (sources) => {
  const { webSearchFormat: format, webSearchSecretArn: secret } = sources.config;
  return knowWebSearch(sources).flatMap((provider) => [
    provider,
    { environment: { WEB_SEARCH_FORMAT: format } },
    ...(secret === undefined
      ? []
      : [
          {
            statements: [allow(['secretsmanager:GetSecretValue'], [secret])],
            environment: { WEB_SEARCH_SECRET: secret },
          },
        ]),
  ]);
};

/** Whether there is a provider of web search. */
export const knowWebSearch: GrantMaker = ({ config: { webSearchUrl: url } }) =>
  url === undefined ? [] : [{ environment: { WEB_SEARCH_URL: url } }];
