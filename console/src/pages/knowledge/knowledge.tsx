import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { useMay } from '../../app/session.ts';
import { number, useT } from '../../texts/i18n.ts';
import { Loading, PageTitle } from '../../ui/controls.tsx';
import { NameForm } from '../../ui/name-form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';

export const basesQuery = {
  queryKey: ['bases'],
  queryFn: async () =>
    (await dataOf(api.GET('/api/v1/knowledge-bases', { params: { query: { limit: 100 } } }))).data.knowledge_bases,
};

export function Knowledge() {
  const t = useT();
  const may = useMay();
  const { data, error, isPending } = useQuery(basesQuery);
  return (
    <>
      <PageTitle>{t('nav.knowledge')}</PageTitle>
      <p className="mb-4 text-muted">{t('knowledge.about')}</p>
      {may('POST /api/v1/knowledge-bases') && <NewBase />}
      <ProblemNote error={error} />
      {isPending && <Loading />}
      <ul className="mt-4 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {data?.map(({ id, name, description, document_count, passage_count }) => (
          <li key={id} className="card">
            <Link
              to="/knowledge/$id"
              params={{ id }}
              className="font-semibold text-accent underline [overflow-wrap:anywhere]"
            >
              {name}
            </Link>
            <p className="text-sm [overflow-wrap:anywhere]">{description}</p>
            <p className="text-sm text-muted">
              {t('knowledge.counts', { documents: number(document_count), passages: number(passage_count) })}
            </p>
          </li>
        ))}
      </ul>
      {data?.length === 0 && <p className="text-muted">{t('knowledge.none')}</p>}
    </>
  );
}

function NewBase() {
  const t = useT();
  const create = useAction(
    (name: string) => dataOf(api.POST('/api/v1/knowledge-bases', { body: { name } })),
    ['bases'],
  );
  return <NameForm label={t('knowledge.newBase')} create={create} />;
}
