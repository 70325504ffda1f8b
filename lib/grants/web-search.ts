import { allowUsed, type GrantMaker } from './grant.ts';

/** The provider of web search, and its key for functions that ask it; nothing where the deployment names no provider. */
export const grantWebSearch: GrantMaker = (entry, { config }) => {
  const { webSearch } = entry.access;
  const { webSearchUrl: url, webSearchFormat: format, webSearchSecretArn: secret } = config;
  if (webSearch === undefined || url === undefined) return [];
  if (webSearch === 'know') return [{ environment: { WEB_SEARCH_URL: url } }];
  return [
    {
      ...(secret !== undefined && {
        statements: allowUsed(entry, 'secrets', ['secretsmanager:GetSecretValue'], [secret]),
      }),
      environment: {
        ...{ WEB_SEARCH_URL: url, WEB_SEARCH_FORMAT: format },
        ...(secret !== undefined && { WEB_SEARCH_SECRET: secret }),
      },
    },
  ];
};
