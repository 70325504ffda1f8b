import { Link } from '@tanstack/react-router';
import { useT } from '../texts/i18n.ts';
import { PageTitle } from '../ui/controls.tsx';

export function NotFound() {
  const t = useT();
  return (
    <div className="p-4">
      <PageTitle>{t('common.notFound')}</PageTitle>
      <Link to="/" className="text-accent underline">
        {t('nav.home')}
      </Link>
    </div>
  );
}
