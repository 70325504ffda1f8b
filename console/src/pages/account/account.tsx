import { Link, useSearch } from '@tanstack/react-router';
import { useMay } from '../../app/session.ts';
import { useT } from '../../texts/i18n.ts';
import { PageTitle } from '../../ui/controls.tsx';
import { Audit } from './audit.tsx';
import { Data } from './data.tsx';
import { Keys } from './keys.tsx';
import { Members } from './members.tsx';
import { Money } from './money.tsx';
import { Security } from './security.tsx';
import { UsageReport } from './usage-report.tsx';

const TABS = {
  money: Money,
  usage: UsageReport,
  keys: Keys,
  members: Members,
  data: Data,
  security: Security,
  audit: Audit,
} as const;
export type AccountTab = keyof typeof TABS;

export function Account() {
  const t = useT();
  const may = useMay();
  const { tab = 'money' } = useSearch({ from: '/shell/account' });
  const Shown = TABS[tab];
  return (
    <>
      <PageTitle>{t('nav.account')}</PageTitle>
      <nav
        aria-label={t('nav.account')}
        className="mb-5 flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)]"
      >
        {(Object.keys(TABS) as AccountTab[]).map((name) => (
          <Link
            key={name}
            to="/account"
            search={{ tab: name }}
            aria-current={name === tab ? 'page' : undefined}
            className={`whitespace-nowrap border-b-2 px-3 py-2 text-sm ${name === tab ? 'border-accent font-semibold text-accent' : 'border-transparent text-muted hover:text-ink'}`}
          >
            {t(`account.${name}`)}
          </Link>
        ))}
      </nav>
      <Shown key={tab} may={may} />
    </>
  );
}
