import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';

const MAX_RUNS = 50;

/** Runs of all workflows that wait for a person, the newest first. */
export const waitingRunsQuery = queryOptions({
  queryKey: ['runs', 'waiting'],
  queryFn: async () =>
    (await dataOf(api.GET('/api/v1/workflow-runs', { params: { query: { limit: MAX_RUNS, status: 'waiting' } } }))).data
      .runs,
});
