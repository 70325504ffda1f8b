import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useLanguage, useT } from '../../texts/i18n.ts';
import { TextField } from '../../ui/controls.tsx';
import { slugOf } from '../../ui/slug.ts';
import { CONTENTS } from './contents.ts';
import { guideText, isTranslated } from './pages.ts';
import { searchIn } from './search.ts';

const linkClass = 'block rounded-lg px-2 py-1 hover:bg-raised';

/** Search in all guides, and their list. */
export function SideNavigation({ page }: { page: string }) {
  const t = useT();
  const language = useLanguage();
  const [sought, setSought] = useState('');
  return (
    <div className="flex flex-col gap-3 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-3rem)] lg:w-60 lg:shrink-0 lg:overflow-y-auto">
      <TextField
        label={t('guides.search')}
        type="search"
        value={sought}
        onChange={({ target }) => setSought(target.value)}
      />
      {sought.trim() !== '' && <Results sought={sought} />}
      <details className="lg:hidden">
        <summary className="cursor-pointer text-accent">{t('guides.contents')}</summary>
        <Contents page={page} language={language} />
      </details>
      <div className="max-lg:hidden">
        <Contents page={page} language={language} />
      </div>
    </div>
  );
}

function Contents({ page, language }: { page: string; language: 'ko' | 'en' }) {
  const t = useT();
  return (
    <nav aria-label={t('guides.contents')} className="flex flex-col gap-3 text-sm">
      {CONTENTS.map(({ title, guides }) => (
        <section key={title.en}>
          <h2 className="px-2 font-semibold text-muted">{title[language]}</h2>
          <ul>
            {guides.map(({ page: each, title: name }) => (
              <li key={each}>
                <Link
                  to="/guides/$"
                  params={{ _splat: each }}
                  aria-current={each === page ? 'page' : undefined}
                  className={`${linkClass} ${each === page ? 'bg-raised font-semibold text-accent' : ''}`}
                >
                  {name[language]}
                  {!isTranslated(each, language) && <span className="text-xs text-muted"> EN</span>}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Results({ sought }: { sought: string }) {
  const t = useT();
  const language = useLanguage();
  const wanted = useDeferredValue(sought);
  const { data: guides } = useQuery({
    queryKey: ['guides', language],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      Promise.all(
        CONTENTS.flatMap((chapter) => chapter.guides).map(async ({ page }) => ({
          page,
          text: (await guideText(page, language)) ?? '',
        })),
      ),
  });
  const found = guides ? searchIn(guides, wanted) : [];
  const titles = new Map(
    CONTENTS.flatMap((chapter) => chapter.guides).map(({ page, title }) => [page, title[language]]),
  );
  if (guides && found.length === 0)
    return (
      <p role="status" className="text-sm text-muted">
        {t('guides.nothing')}
      </p>
    );
  return (
    <ol aria-label={t('guides.found')} className="flex flex-col gap-1 text-sm">
      {found.map(({ page, heading, line }) => (
        <li key={`${page} ${heading} ${line}`}>
          <Link to="/guides/$" params={{ _splat: page }} hash={slugOf(heading)} className={linkClass}>
            <span className="font-semibold">{titles.get(page)}</span>{' '}
            <span lang={isTranslated(page, language) ? language : 'en'}>
              <span className="text-muted">{heading}</span>
              <span className="block text-xs [overflow-wrap:anywhere]">{line}</span>
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
