import { useT } from '../../texts/i18n.ts';
import { PageTitle } from '../../ui/controls.tsx';

export function Account() {
  const t = useT();
  return <PageTitle>{t('nav.account')}</PageTitle>;
}
