import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import type { Funds } from './page-cost.ts';

/** Undefined until both are known. */
export function useFunds(): Funds | undefined {
  const { data: balance } = useQuery({ queryKey: ['balance'], queryFn: () => dataOf(api.GET('/api/v1/balance')) });
  const { data: ledger } = useQuery({
    queryKey: ['balance', 'free pages'],
    queryFn: () => dataOf(api.GET('/api/v1/balance/entries', { params: { query: { limit: 1 } } })),
  });
  return balance && ledger && { balanceKrw: balance.balanceKrw, freePagesLeft: ledger.freePagesLeft };
}
