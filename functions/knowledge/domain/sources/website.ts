import type { JobCaller } from '../../../shared/ports/job-caller.ts';
import type { CrawledWeb, SiteRules, WebAnswer } from './source-ports.ts';
import { CrawlFailed, isCrawled, type KnownPages, type Visit } from './visits.ts';

export interface WalkPorts {
  readonly web: CrawledWeb;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** A function holds one document in memory. */
const MAX_PAGE_BYTES = 20 * 2 ** 20;
const MAX_URL_LENGTH = 500;
/** Links that are kept of a page. */
const MAX_LINKS = 500;
const MAX_SITEMAPS = 10;
/** More than the documents of a base. */
const MAX_SITEMAP_PAGES = 5_000;
/** At most four requests a second of any site, and one in ten seconds for a site that asks for less. */
const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** Consecutive failures after which the site counts as down. */
const MAX_FAILURES = 10;

/** Addresses of files that are never documents. */
const NO_DOCUMENT =
  /\.(?:7z|avif|avi|bmp|css|exe|gif|gz|ico|jpe?g|js|m4a|mjs|mov|mp3|mp4|ogg|png|rar|svg|tar|ttf|wav|webm|webp|woff2?|zip)$/i;

interface Step {
  readonly url: string;
  readonly depth: number;
}

/**
 * Walks a website breadth first, from its first page and then its sitemaps. Pages that this crawl has visited already are
 * passed by their stored links.
 * @throws CrawlFailed
 */
export async function* walkWebsite(
  workspaceId: string,
  { url, depth: maxDepth }: { readonly url: string; readonly depth: number },
  known: KnownPages,
  { web, wait }: WalkPorts,
): AsyncGenerator<Visit> {
  const first = new URL(url);
  const caller = { tenant: workspaceId };
  const rules = await web.rules(first.origin, caller);
  const [isAllowed] = await rules.allowed([url]);
  if (!isAllowed)
    throw new CrawlFailed('disallowed', `url: robots.txt of ${first.host} does not allow Tripod to read this page.`);
  const delayMs = Math.min(Math.max(rules.delayMs, MIN_DELAY_MS), MAX_DELAY_MS);
  const inScope = scopeOf(first);
  const seen = new Set([url]);
  const steps: Step[] = [{ url, depth: 0 }];
  const add = async (links: Iterable<string>, depth: number) => {
    if (depth > maxDepth) return;
    const fresh: string[] = [];
    for (const link of links) {
      const next = inScope(link);
      if (next === null || seen.has(next)) continue;
      seen.add(next);
      fresh.push(next);
    }
    const areAllowed = fresh.length > 0 ? await rules.allowed(fresh) : [];
    steps.push(...fresh.filter((_, index) => areAllowed[index]).map((each) => ({ url: each, depth })));
  };
  let failures = 0;
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at]!;
    const visited = known.visited(step.url);
    if (visited !== null) {
      await add(visited.links, behind(step, visited.documentId !== null));
    } else {
      if (at > 0) await wait(delayMs);
      const answer = await web.get(step.url, await known.readable(step.url), MAX_PAGE_BYTES, caller);
      if (at === 0) requireFirst(answer, inScope);
      const visit = visitOf(step.url, answer, known, inScope);
      failures = visit.kind === 'failed' ? failures + 1 : 0;
      if (failures === MAX_FAILURES)
        throw new CrawlFailed('fetch_failed', `${first.host} did not answer ${MAX_FAILURES} requests in a row.`);
      yield visit;
      const isDocument =
        visit.kind === 'content' || (visit.kind === 'unchanged' && known.find(step.url)?.documentId != null);
      await add(visit.links, behind(step, isDocument));
    }
    if (at === 0) await add(await sitemapPages(rules, first, inScope, caller, { web, wait }), 1);
  }
}

/** The depth of what a page leads to. A redirect is not a step. */
function behind({ depth }: Step, isDocument: boolean): number {
  return isDocument ? depth + 1 : depth;
}

/** @throws CrawlFailed */
function requireFirst(answer: WebAnswer, inScope: (link: string) => string | null): void {
  if (answer.kind === 'unreachable') throw new CrawlFailed('fetch_failed', answer.message);
  if (answer.kind === 'gone')
    throw new CrawlFailed('fetch_failed', `url answered with status ${answer.status}. Name a page that is there.`);
  if (answer.kind === 'redirect' && inScope(answer.to) === null)
    throw new CrawlFailed(
      'fetch_failed',
      'url was redirected to a page of another host, or out of its folder. Name the final address.',
    );
}

function visitOf(
  externalId: string,
  answer: WebAnswer,
  known: KnownPages,
  inScope: (link: string) => string | null,
): Visit {
  const before = known.find(externalId);
  const nothing = { externalId, links: [], etag: null, lastModified: null } as const;
  const asBefore = {
    externalId,
    links: before?.links ?? [],
    etag: before?.etag ?? null,
    lastModified: before?.lastModified ?? null,
  };
  switch (answer.kind) {
    case 'unchanged':
    case 'unreachable':
      return { ...asBefore, kind: answer.kind === 'unchanged' ? 'unchanged' : 'failed' };
    case 'gone':
      return { ...nothing, kind: 'gone' };
    case 'redirect':
      return { ...nothing, kind: before?.documentId ? 'gone' : 'skipped', links: [answer.to] };
    case 'content': {
      const { bytes, mediaType, etag, lastModified, title, links, isIndexable } = answer;
      const kept = links.flatMap((link) => inScope(link) ?? []);
      const found = { externalId, links: [...new Set(kept)].slice(0, MAX_LINKS), etag, lastModified };
      if (!isIndexable || !isCrawled(mediaType)) return { ...found, kind: 'skipped' };
      return { ...found, kind: 'content', title: title || titleOf(externalId), content: { bytes, mediaType } };
    }
  }
}

/** Pages of the walk that the sitemaps list, those of an index too. */
async function sitemapPages(
  { sitemaps }: SiteRules,
  { origin }: URL,
  inScope: (link: string) => string | null,
  caller: JobCaller,
  { web, wait }: WalkPorts,
): Promise<ReadonlySet<string>> {
  const pages = new Set<string>();
  const named = sitemaps.length > 0 ? sitemaps : [`${origin}/sitemap.xml`];
  const open = new Set(named.filter((url) => isOf(url, origin)).slice(0, MAX_SITEMAPS));
  for (const sitemap of open) {
    await wait(MIN_DELAY_MS);
    const found = await web.sitemap(sitemap, caller);
    for (const link of found.pages) {
      const page = pages.size < MAX_SITEMAP_PAGES ? inScope(link) : null;
      if (page !== null) pages.add(page);
    }
    for (const url of found.sitemaps) if (open.size < MAX_SITEMAPS && isOf(url, origin)) open.add(url);
  }
  return pages;
}

const isOf = (url: string, origin: string): boolean => URL.parse(url)?.origin === origin;

/** @returns what gives an address its one form; null for those of other hosts, outside of the first page's folder, and of no document. */
function scopeOf(first: URL): (link: string) => string | null {
  const folder = first.pathname.slice(0, first.pathname.lastIndexOf('/') + 1);
  return (link) => {
    const url = URL.parse(link);
    if (url === null || url.origin !== first.origin || !url.pathname.startsWith(folder)) return null;
    if (url.username !== '' || url.password !== '' || NO_DOCUMENT.test(url.pathname)) return null;
    url.hash = '';
    return url.href.length > MAX_URL_LENGTH ? null : url.href;
  };
}

/** The last part of an address that says something. */
export function titleOf(externalId: string): string {
  const path = URL.parse(externalId)?.pathname ?? externalId;
  const name = path.split('/').findLast((part) => part !== '') ?? externalId;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
