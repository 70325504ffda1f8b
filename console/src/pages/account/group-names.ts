import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { day, useT } from '../../texts/i18n.ts';

export type UsageGroup = 'day' | 'service' | 'key' | 'application' | 'access_token';

const SERVICES = ['extraction', 'chat', 'sandbox'] as const;

/** Names of the groups of a usage report. An id without a name stays as it is. */
export function useGroupNames(group: UsageGroup): (id: string | null) => string {
  const t = useT();
  const { data: names } = useQuery({
    queryKey: [group === 'key' ? 'keys' : 'applications', 'names'],
    enabled: group === 'key' || group === 'application',
    queryFn: async () => new Map((await named(group)).map(({ id, name }) => [id, name])),
  });
  return (id) => {
    if (id === null) return '—';
    if (group === 'day') return day(id);
    if (group === 'service') {
      const service = SERVICES.find((each) => each === id);
      return service === undefined ? id : t(`account.scope.${service}`);
    }
    return names?.get(id) ?? id;
  };
}

async function named(group: UsageGroup): Promise<readonly { readonly id: string; readonly name: string }[]> {
  if (group === 'key') return (await dataOf(api.GET('/api/v1/api-keys'))).data;
  return (await dataOf(api.GET('/api/v1/applications', { params: { query: { limit: 100 } } }))).data.applications;
}
