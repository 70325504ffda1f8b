import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { number, time, useT } from '../../texts/i18n.ts';
import { Badge } from '../../ui/controls.tsx';
import { type Listed, nameOf } from './listed.ts';
import { Thumbnail } from './thumbnail.tsx';

export const COLUMNS = 6;

export const ResultRow = memo(function ResultRow({
  index,
  result,
  isChosen,
  onChoose,
  measure,
}: {
  index: number;
  result: Listed;
  isChosen: boolean;
  onChoose: (id: string, isChosen: boolean) => void;
  measure: (row: HTMLElement | null) => void;
}) {
  const t = useT();
  const { extractionId, createdAt, itemCount, byStatus, foundTable, fileName, reference } = result;
  const open = result.openLines ?? 0;
  const name = nameOf(result) ?? t('extractions.unnamed');
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} className={isChosen ? 'bg-raised' : ''}>
      <td className="align-middle!">
        <input
          type="checkbox"
          className="size-4"
          aria-label={t('extractions.choose', { name, time: time(createdAt) })}
          checked={isChosen}
          onChange={({ target }) => onChoose(extractionId, target.checked)}
        />
      </td>
      <td>
        <div className="flex items-center gap-3">
          <Thumbnail {...result} />
          <div className="min-w-0">
            <Link
              to="/review/$id"
              params={{ id: extractionId }}
              title={name}
              className="block truncate font-medium text-accent underline"
            >
              {name}
            </Link>
            {fileName !== null && reference !== null && <p className="truncate text-xs text-muted">{reference}</p>}
            <p className="text-xs text-muted sm:hidden">{time(createdAt)}</p>
          </div>
        </div>
      </td>
      <td className="align-middle! whitespace-nowrap max-sm:hidden">{time(createdAt)}</td>
      <td className="number align-middle! max-sm:hidden">{number(itemCount)}</td>
      <td className="align-middle!">
        {byStatus && foundTable && (
          <span className="flex flex-wrap gap-1">
            <Badge tone="good">● {byStatus.green}</Badge>
            <Badge tone="warn">▲ {byStatus.yellow}</Badge>
            <Badge tone="bad">■ {byStatus.red}</Badge>
          </span>
        )}
        {!foundTable && t('review.noTable')}
      </td>
      <td className="align-middle! max-sm:hidden">
        {open > 0 ? <Badge tone="warn">{t('review.open', { count: open })}</Badge> : t('extractions.nothing')}
      </td>
    </tr>
  );
});
