import type { WebSearch } from '../../chat/domain/tools/web-search.ts';
import { environment } from '../../shared/environment.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';

/** True where the operator has named a provider of web search. */
export function hasWebSearch(): boolean {
  return environment('WEB_SEARCH_URL').WEB_SEARCH_URL !== undefined;
}

/** The operator's provider of web search; null for none. Loaded with the first application that has the tool. */
export const webSearch = async (): Promise<WebSearch | null> => {
  const { WEB_SEARCH_URL: url, WEB_SEARCH_FORMAT: format } = environment('WEB_SEARCH_URL', 'WEB_SEARCH_FORMAT');
  if (url === undefined) return null;
  const [{ SearchProvider }, { SafeFetch }, searchFormat] = await Promise.all([
    import('../../adapters/chat/search/search-provider.ts'),
    import('../../adapters/web/safe-fetch.ts'),
    format === 'brave'
      ? import('../../adapters/chat/search/brave-search.ts').then(({ braveSearch }) => braveSearch)
      : import('../../adapters/chat/search/searxng-search.ts').then(({ searxngSearch }) => searxngSearch),
  ]);
  const { TRIPOD_LOCAL: allowLoopback } = environment('TRIPOD_LOCAL');
  const web = new SafeFetch({ field: 'The provider of web search', allowLoopback });
  return new SearchProvider({ url, format: searchFormat, key: webSearchKey, web });
};

/** Kept for as long as the function lives. */
const storedKey = memoizeAsync(async (): Promise<string> => {
  const [{ SecretsManagerClient }, { readSecret }] = await Promise.all([
    import('@aws-sdk/client-secrets-manager'),
    import('../../adapters/shared/secret.ts'),
  ]);
  return readSecret(new SecretsManagerClient({}), environment('WEB_SEARCH_SECRET').WEB_SEARCH_SECRET!);
});

async function webSearchKey(): Promise<string | null> {
  const { WEB_SEARCH_KEY, WEB_SEARCH_SECRET } = environment('WEB_SEARCH_KEY', 'WEB_SEARCH_SECRET');
  if (WEB_SEARCH_KEY !== undefined) return WEB_SEARCH_KEY;
  return WEB_SEARCH_SECRET === undefined ? null : storedKey();
}
