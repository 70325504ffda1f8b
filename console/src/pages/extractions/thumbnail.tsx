import { useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import type { Listed } from './listed.ts';

/** Rows that scroll past quickly ask for nothing. */
const STAYS_MS = 250;
const KEPT_MS = 8 * 24 * 60 * 60 * 1_000;

/** The page as a small picture, where it is kept; next to the name, which says the same to those who do not see it. */
export function Thumbnail({ extractionId, pictureStored, createdAt }: Listed) {
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), STAYS_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    queryKey: ['thumbnail', extractionId],
    enabled: stays && pictureStored && Date.now() - Date.parse(createdAt) < KEPT_MS,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, error) => count < 3 && error instanceof Problem && [429, 503].includes(error.status),
    queryFn: async () => {
      const params = { path: { id: extractionId }, query: { thumbnail: '1' } } as const;
      return (await dataOf(api.GET('/api/v1/extractions/{id}/picture', { params }))).url;
    },
  });
  return (
    <span className="flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line bg-raised text-muted">
      {data === undefined ? (
        <FileText aria-hidden size={20} />
      ) : (
        <img src={data} alt="" className="size-full object-cover object-top" />
      )}
    </span>
  );
}
