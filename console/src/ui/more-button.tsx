import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useT } from '../texts/i18n.ts';
import { Button } from './controls.tsx';

/** Asks for the next page of a list; nothing where there is none. */
export function MoreButton({
  query: { hasNextPage, fetchNextPage, isFetchingNextPage },
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
}) {
  const t = useT();
  if (!hasNextPage) return null;
  return (
    <Button className="mt-3" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {t('common.more')}
    </Button>
  );
}
