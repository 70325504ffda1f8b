import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { useT, won } from '../../texts/i18n.ts';
import { Badge, buttonClass, Note } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** A batch, image by image as they finish. */
export function BatchProgress({ jobId }: { jobId: string }) {
  const t = useT();
  const { data, error } = useQuery({
    queryKey: ['job', jobId],
    queryFn: () => dataOf(api.GET('/api/v1/jobs/{id}', { params: { path: { id: jobId } } })),
    refetchInterval: ({ state }) => (state.data?.completedAt ? false : 1_000),
  });
  return (
    <section className="card mt-4 flex flex-col gap-2">
      <h2 className="font-semibold">{t('read.batch')}</h2>
      <ProblemNote error={error} />
      {data && (
        <>
          <p role="status" className="text-sm">
            {t('read.progress', { done: data.completed, total: data.total, krw: won(data.cost.krw) })}
          </p>
          <progress
            className="w-full accent-accent"
            max={data.total}
            value={data.completed + data.failed}
            aria-label={t('read.batch')}
          />
          {data.failed > 0 && (
            <Note tone="bad" role="alert">
              {data.images.map(
                ({ index, status, fileName, error: failure }) =>
                  status === 'failed' && (
                    <p key={index} className="[overflow-wrap:anywhere]">
                      {t('read.failedPage', {
                        page: index + 1,
                        total: data.total,
                        name: fileName ?? t('extractions.unnamed'),
                        message: failure?.message ?? '',
                      })}
                    </p>
                  ),
              )}
            </Note>
          )}
          <ol className="flex flex-col gap-1 text-sm">
            {data.images.map((image) => (
              <li key={image.index} className="flex flex-wrap items-center gap-2">
                <span className="w-8 text-end text-muted">{image.index + 1}</span>
                {image.fileName !== null && <span className="[overflow-wrap:anywhere]">{image.fileName}</span>}
                {image.extractionId !== null ? (
                  <Link to="/review/$id" params={{ id: image.extractionId }} className="text-accent underline">
                    {image.foundTable ? t('read.lines', { count: image.itemCount ?? 0 }) : t('review.noTable')}
                  </Link>
                ) : (
                  <Badge tone={image.status === 'failed' ? 'bad' : 'plain'}>
                    {t(`jobStatus.${image.status as 'queued'}`)}
                  </Badge>
                )}
                {image.byStatus && image.byStatus.yellow + image.byStatus.red > 0 && (
                  <Badge tone="warn">{t('read.toReview', { count: image.byStatus.yellow + image.byStatus.red })}</Badge>
                )}
              </li>
            ))}
          </ol>
          <Link to="/extractions" search={{ job: jobId }} className={`${buttonClass()} self-start`}>
            {t('read.results')}
          </Link>
        </>
      )}
    </section>
  );
}
