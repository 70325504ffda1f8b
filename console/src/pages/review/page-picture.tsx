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
import { doubtedCells, type Extraction } from './decisions.ts';

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
        const blob = SHOWABLE.includes(contentType)
          ? new Blob([await (await fetch(url)).blob()], { type: contentType })
          : await drawn(id);
        return { kind: 'shown' as const, url: URL.createObjectURL(blob) };
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return { kind: 'none' as const };
        throw error;
      }
    },
  });
}

/** The page of a PDF or TIFF, which browsers do not show next to the lines. */
async function drawn(id: string): Promise<Blob> {
  const params = { path: { id }, query: { drawn: '1' } } as const;
  const { url, contentType } = await dataOf(api.GET('/api/v1/extractions/{id}/picture', { params }));
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type: contentType });
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
  if (error || data.kind === 'none')
    return (
      <div data-no-picture>
        <Note>{t('review.noPicture')}</Note>
      </div>
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
              <LineCells
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
                key={index}
                index={index}
                cells={cells}
                doubted={index === lit ? doubtedCells(extraction, index) : NONE}
                isLit={index === lit}
                onPick={onPick}
              />
            ))}
          </g>
        </svg>
      </section>
    </div>
  );
}

/** Deletes the picture, where there is one; apart from the buttons that are pressed often. */
export function RemovePicture({ id }: { id: string }) {
  const t = useT();
  const may = useMay();
  const { data } = usePicture(id);
  const remove = useAction(
    async () => dataOf(api.DELETE('/api/v1/extractions/{id}/picture', { params: { path: { id } } })),
    ['picture'],
  );
  if (data?.kind !== 'shown' || !may('DELETE /api/v1/extractions/{id}/picture')) return null;
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

const NONE: readonly number[] = [];

type Cells = NonNullable<Extraction['places']>[number];

const LineCells = memo(function LineCells({
  index,
  cells,
  doubted,
  isLit,
  onPick,
}: {
  index: number;
  cells: Cells;
  /** Positions among the cells that the notes of the line are about. */
  doubted: readonly number[];
  isLit: boolean;
  onPick: (index: number) => void;
}) {
  const look = isLit ? 'fill-accent/25 stroke-accent' : 'fill-transparent hover:fill-accent/10 hover:stroke-accent';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for pointers; the list next to it is the control.
    <g data-line={index} data-lit={isLit} className={look} onClick={() => onPick(index)}>
      {cells?.map((corners, at) => {
        const isDoubted = doubted.includes(at);
        return (
          <polygon
            key={corners.join()}
            points={corners.join(' ')}
            data-doubted={isDoubted || undefined}
            className={isDoubted ? 'fill-warn/20 stroke-warn' : ''}
            strokeWidth={isDoubted ? 4 : 2}
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
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
