import { skipToken, useQuery } from '@tanstack/react-query';
import { toDrugCode } from '../../../../functions/extraction/domain/master/drug-code.ts';
import { api, dataOf } from '../../api/client.ts';
import type { ListedDrug } from './check-line.ts';

const FRESH_MS = 5 * 60_000;

/** Drugs of the list by a text. @param text null: nothing is searched. @param date day of the prices; undefined: today */
export function useDrugSearch(text: string | null, date: string | undefined): readonly ListedDrug[] | undefined {
  const search = text?.trim() ?? '';
  const { data } = useQuery({
    queryKey: ['drugs', search, date],
    staleTime: FRESH_MS,
    queryFn:
      search === ''
        ? skipToken
        : async ({ signal }) => {
            const query = { search: search.slice(0, 100), ...(date !== undefined && { date }) };
            const { drugs } = await dataOf(api.GET('/api/v1/drug-master', { params: { query }, signal }));
            return drugs ?? [];
          },
  });
  return search === '' ? [] : data;
}

/** The drug of a printed code; null: the list has none, undefined: not known yet. */
export function useListedDrug(printedCode: string | null, date: string | undefined): ListedDrug | null | undefined {
  const code = printedCode === null ? null : toDrugCode(printedCode).lookup;
  const found = useDrugSearch(code, date);
  if (code === null || code === '') return null;
  return found && (found.find((drug) => drug.code === code) ?? null);
}
