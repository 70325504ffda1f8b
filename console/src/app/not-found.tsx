import { Link } from '@tanstack/react-router';
import { useT } from '../texts/i18n.ts';
import { buttonClass, PageTitle } from '../ui/controls.tsx';

/** The page for an address that leads nowhere, with the ways out of it. */
export function NotFound() {
  const t = useT();
  return (
    <section className="card mx-auto my-8 max-w-xl">
      <p className="text-5xl font-bold text-muted">404</p>
      <PageTitle>{t('common.notFound')}</PageTitle>
      <p className="mb-3 text-muted">{t('common.notFoundText')}</p>
      <div className="flex flex-wrap gap-2">
        <Link to="/" className={buttonClass('main')}>
          {t('nav.home')}
        </Link>
        <Link to="/extractions" className={buttonClass()}>
          {t('nav.extractions')}
        </Link>
        <Link to="/guides" className={buttonClass()}>
          {t('nav.guides')}
        </Link>
      </div>
    </section>
  );
}
