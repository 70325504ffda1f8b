import { useQuery } from '@tanstack/react-query';
import { memo, useEffect, useRef } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Button, Loading, Note } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { Extraction } from './decisions.ts';

const SHOWABLE = ['image/png', 'image/jpeg', 'image/webp', 'image/bmp'];
const ZOOMS = [1, 1.5, 2, 3, 4];

/** The picture as a blob: its own orientation tag is then ours to apply, and nothing of it is asked for twice. */
function usePicture(id: string) {
  return useQuery({
    queryKey: ['picture', id],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async () => {
      try {
        const { url, contentType } = await dataOf(
          api.GET('/api/v1/extractions/{id}/picture', { params: { path: { id } } }),
        );
        if (!SHOWABLE.includes(contentType)) return { kind: 'other' as const, url, contentType };
        const blob = await (await fetch(url)).blob();
        return { kind: 'shown' as const, url: URL.createObjectURL(new Blob([blob], { type: contentType })) };
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return { kind: 'none' as const };
        throw error;
      }
    },
  });
}

/** The page as it was sent, turned upright, with the cells of a line lit up. */
export function PagePicture({
  extraction,
  lit,
  zoom,
  onZoom,
  onPick,
}: {
  extraction: Extraction;
  /** Index of the line; null: none. */
  lit: number | null;
  zoom: number;
  onZoom: (zoom: number) => void;
  onPick: (index: number) => void;
}) {
  const t = useT();
  const { data, error, isPending } = usePicture(extraction.extractionId);
  const frame = useRef<HTMLElement>(null);
  const { geometry, places } = extraction;
  const { oriented, source } = geometry;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawing depends on the two others.
  useEffect(() => {
    const shape = frame.current?.querySelector(`[data-line="${lit}"]`);
    const box = frame.current;
    if (!shape || !box) return;
    const [inner, outer] = [shape.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollTo({
      top: box.scrollTop + inner.top + inner.height / 2 - (outer.top + outer.height / 2),
      left: box.scrollLeft + inner.left + inner.width / 2 - (outer.left + outer.width / 2),
    });
  }, [lit, zoom, data]);

  if (isPending) return <Loading />;
  if (error || data.kind === 'none') return <Note>{t('review.noPicture')}</Note>;
  if (data.kind === 'other')
    return (
      <Note>
        {t('review.otherPicture', { type: data.contentType })}{' '}
        <a href={data.url} target="_blank" rel="noreferrer" className="underline">
          {t('review.openPicture')}
        </a>{' '}
        <RemovePicture id={extraction.extractionId} />
      </Note>
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <fieldset className="flex gap-1">
        <legend className="sr-only">{t('review.zoom')}</legend>
        <Button aria-label={t('review.zoomOut')} onClick={() => onZoom(zoom - 1)} disabled={zoom === 0}>
          −
        </Button>
        <Button aria-label={t('review.zoomIn')} onClick={() => onZoom(zoom + 1)} disabled={zoom === ZOOMS.length - 1}>
          +
        </Button>
        <RemovePicture id={extraction.extractionId} />
      </fieldset>
      <section
        ref={frame}
        tabIndex={0}
        aria-label={t('review.picture')}
        className="min-h-0 flex-1 overflow-auto rounded-lg border border-line bg-raised"
      >
        <svg
          viewBox={`0 0 ${oriented.width} ${oriented.height}`}
          width={`${ZOOMS[zoom]! * 100}%`}
          className="block"
          role="img"
          aria-label={t('review.picture')}
        >
          <g transform={uprightTransform(geometry)}>
            <image
              href={data.url}
              width={source.width}
              height={source.height}
              className="[image-orientation:none]"
              preserveAspectRatio="none"
            />
            {places?.map((cells, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
              <LineCells key={index} index={index} cells={cells} isLit={index === lit} onPick={onPick} />
            ))}
          </g>
        </svg>
      </section>
    </div>
  );
}

function RemovePicture({ id }: { id: string }) {
  const t = useT();
  const may = useMay();
  const remove = useAction(
    async () => dataOf(api.DELETE('/api/v1/extractions/{id}/picture', { params: { path: { id } } })),
    ['picture'],
  );
  if (!may('DELETE /api/v1/extractions/{id}/picture')) return null;
  return (
    <>
      <ConfirmedButton
        label={t('review.removePicture')}
        question={t('review.removePictureQuestion')}
        onConfirm={() => remove.mutate()}
      />
      <ProblemNote error={remove.error} />
    </>
  );
}

type Cells = NonNullable<Extraction['places']>[number];

const LineCells = memo(function LineCells({
  index,
  cells,
  isLit,
  onPick,
}: {
  index: number;
  cells: Cells;
  isLit: boolean;
  onPick: (index: number) => void;
}) {
  const look = isLit ? 'fill-accent/25 stroke-accent' : 'fill-transparent hover:fill-accent/10 hover:stroke-accent';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for pointers; the list next to it is the control.
    <g data-line={index} data-lit={isLit} className={look} onClick={() => onPick(index)}>
      {cells?.map((corners) => (
        <polygon key={corners.join()} points={corners.join(' ')} strokeWidth={2} vectorEffect="non-scaling-stroke" />
      ))}
    </g>
  );
});

export const MAX_ZOOM = ZOOMS.length - 1;

/** From the pixels of the upload to those of the upright picture. */
function uprightTransform({ rotation, mirrored, source: { width, height } }: Extraction['geometry']): string {
  const turn = {
    0: '',
    90: `matrix(0 -1 1 0 0 ${width})`,
    180: `matrix(-1 0 0 -1 ${width} ${height})`,
    270: `matrix(0 1 -1 0 ${height} 0)`,
  }[rotation];
  return mirrored ? `${turn} matrix(-1 0 0 1 ${width} 0)` : turn;
}
