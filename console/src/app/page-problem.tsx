import { Problem } from '../api/problem.ts';
import { useT } from '../texts/i18n.ts';
import { PageTitle } from '../ui/controls.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { NotFound } from './not-found.tsx';

/** A page whose subject could not be loaded. */
export function PageProblem({ error }: { error: unknown }) {
  const t = useT();
  if (error instanceof Problem && (error.status === 404 || error.code === 'invalid_request')) return <NotFound />;
  return (
    <>
      <PageTitle>{t('common.notLoaded')}</PageTitle>
      <ProblemNote error={error} />
    </>
  );
}
