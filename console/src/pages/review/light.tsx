import { useT } from '../../texts/i18n.ts';
import { Badge } from '../../ui/controls.tsx';
import type { Item } from './decisions.ts';

const TONES = { GREEN: 'good', YELLOW: 'warn', RED: 'bad' } as const;
const MARKS = { GREEN: '●', YELLOW: '▲', RED: '■' } as const;

export function Light({ status }: { status: Item['status'] }) {
  const t = useT();
  return (
    <span>
      <Badge tone={TONES[status]}>
        {MARKS[status]} {t(`light.${status}`)}
      </Badge>
    </span>
  );
}
