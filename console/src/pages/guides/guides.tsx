import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../../app/session.ts';
import { useLanguage, useT } from '../../texts/i18n.ts';
import { Note } from '../../ui/controls.tsx';
import { Markdown } from '../../ui/markdown.tsx';

/** Before the path of a guide: its English text, which a translation may refer to. */
const ENGLISH = 'en/';
const FOLDER = '../../../../docs/';
const PAGES = import.meta.glob<string>('../../../../docs/**/*.md', { query: '?raw', import: 'default' });

/** The guides of this release, with the addresses and ids of the workspace filled in. */
export function Guides() {
  const t = useT();
  const { workspace } = useSession();
  const { _splat: path = '' } = useParams({ strict: false }) as { _splat?: string };
  const own = useLanguage();
  const language = path.startsWith(ENGLISH) ? 'en' : own;
  const page = (path.startsWith(ENGLISH) ? path.slice(ENGLISH.length) : path) || 'README.md';
  const translated = `${FOLDER}${language}/${page}`;
  const isTranslated = language === 'en' || PAGES[translated] !== undefined;
  const { data } = useSuspenseQuery({
    queryKey: ['guide', page, language],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await (PAGES[translated] ?? PAGES[FOLDER + page])?.()) ?? null,
  });
  // The browser looked for the place before there was a text.
  useEffect(() => {
    if (data !== null) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, [data]);
  if (data === null) return <Note role="alert">{t('common.notFound')}</Note>;
  const text = data
    .replaceAll('http://127.0.0.1:3000', location.origin)
    .replaceAll(/ws_01J[0-9A-Z]{23}/g, workspace.id);
  return (
    <article className="card max-w-4xl">
      {page !== 'README.md' && (
        <p className="mb-3">
          <Link to="/guides/$" params={{ _splat: '' }} className="text-accent underline">
            {t('nav.guides')}
          </Link>
        </p>
      )}
      {!isTranslated && <Note>{t('guides.englishOnly')}</Note>}
      <div lang={isTranslated ? language : 'en'}>
        <Markdown text={text} linkTo={(url) => guideLink(url, page, isTranslated ? language : 'en')} hasAnchors />
      </div>
    </article>
  );
}

/** Links between the guides lead to their pages here; links to other files lead nowhere. */
function guideLink(url: string, page: string, language: string): string {
  if (/^(https?:|#|\/)/.test(url)) return url;
  const target = new URL(url, `https://guides/${page}`);
  const path = target.pathname.slice(1);
  if (PAGES[FOLDER + path] === undefined) return 'none:';
  // A translation that links to the English folder means the English text, where there are both.
  const isEnglish = url.startsWith('../') && PAGES[`${FOLDER}${language}/${path}`] !== undefined;
  return `/guides/${isEnglish ? ENGLISH : ''}${path}${target.hash}`;
}
