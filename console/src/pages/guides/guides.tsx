import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { NotFound } from '../../app/not-found.tsx';
import { useSession } from '../../app/session.ts';
import { useLanguage, useT } from '../../texts/i18n.ts';
import { Note } from '../../ui/controls.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { ENGLISH, guideText, hasGuide, isTranslated } from './pages.ts';
import { SideNavigation } from './side-navigation.tsx';

/** The guides of this release, with the addresses and ids of the workspace filled in. */
export function Guides() {
  const t = useT();
  const { workspace } = useSession();
  const { _splat: path = '' } = useParams({ strict: false }) as { _splat?: string };
  const own = useLanguage();
  const language = path.startsWith(ENGLISH) ? 'en' : own;
  const page = (path.startsWith(ENGLISH) ? path.slice(ENGLISH.length) : path) || 'README.md';
  const shown = isTranslated(page, language) ? language : 'en';
  const { data } = useSuspenseQuery({
    queryKey: ['guide', page, language],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => guideText(page, language),
  });
  // The browser looked for the place before there was a text.
  useEffect(() => {
    if (data !== null) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, [data]);
  if (data === null) return <NotFound />;
  const text = data
    .replaceAll('http://127.0.0.1:3000', location.origin)
    .replaceAll(/ws_01J[0-9A-Z]{23}/g, workspace.id);
  return (
    <div className="flex flex-col gap-4 lg:flex-row lg:items-start">
      <SideNavigation page={page} />
      <article className="card min-w-0 max-w-4xl flex-1">
        {shown !== language && <Note>{t('guides.englishOnly')}</Note>}
        <div lang={shown}>
          <Markdown text={text} linkTo={(url) => guideLink(url, page, shown)} hasAnchors />
        </div>
      </article>
    </div>
  );
}

/** Links between the guides lead to their pages here; links to other files lead nowhere. */
function guideLink(url: string, page: string, language: string): string {
  if (/^(https?:|#|\/)/.test(url)) return url;
  const target = new URL(url, `https://guides/${page}`);
  const path = target.pathname.slice(1);
  if (!hasGuide(path)) return 'none:';
  // A translation that links to the English folder means the English text, where there are both.
  const isEnglish = url.startsWith('../') && hasGuide(`${language}/${path}`);
  return `/guides/${isEnglish ? ENGLISH : ''}${path}${target.hash}`;
}
