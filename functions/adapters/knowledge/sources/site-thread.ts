import robotsParser from 'robots-parser';
import { memoize } from '../../../shared/memoize.ts';
import type { JobCaller } from '../../../shared/ports/job-caller.ts';
import { readXml } from '../../codecs/xml-events.ts';
import { BoundedThreads, serveThread, type ThreadLimits, ThreadStopped } from '../../threads/bounded-threads.ts';
import { decodeText } from '../formats/decode-text.ts';
import { type PageHead, pageHead } from './page-head.ts';

/** The largest text of each kind takes half a second. */
const LIMITS: ThreadLimits = { seconds: 10, heapMb: 256 };
const NAME = 'tripod-site-thread';
const OPTIONS = { module: import.meta.url, name: NAME, threads: 2, threadsPerTenant: 1, areKept: true } as const;
const AGENT = 'Tripod';
/** Of one robots.txt, and of one sitemap. */
const MAX_NAMED_SITEMAPS = 100;
const MAX_SITEMAP_PAGES = 5_000;
const MAX_ADDRESS_LENGTH = 2_000;
/** Its types name a default export, and the module is the function itself. */
const parseRobots = robotsParser as unknown as (typeof robotsParser)['default'];

export interface RobotsFile {
  readonly address: string;
  readonly text: string;
}

export interface SitemapEntries {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
}

/** The texts of a website that a crawler reads, and what it learns of each. */
interface Work {
  readonly rules: [robots: RobotsFile, { readonly delayMs: number; readonly sitemaps: readonly string[] }];
  readonly allowed: [asked: RobotsFile & { readonly urls: readonly string[] }, readonly boolean[]];
  readonly sitemap: [xml: string, SitemapEntries];
  /** Null for a page in an unknown encoding. */
  readonly page: [page: { readonly bytes: Uint8Array; readonly url: string }, PageHead | null];
}

type Kind = keyof Work;
type Job = { [K in Kind]: { readonly kind: K; readonly given: Work[K][0] } }[Kind];

const threads = memoize(() => new BoundedThreads<Job, unknown>({ ...OPTIONS, ...LIMITS }));

/** Reads a text of a website in a thread. @returns null when it takes too much time or memory. @throws TooBusy */
export async function readSiteText<K extends Kind>(
  kind: K,
  given: Work[K][0],
  caller: JobCaller,
): Promise<Work[K][1] | null> {
  try {
    return (await threads().run({ kind, given } as Job, caller)) as Work[K][1];
  } catch (error) {
    if (error instanceof ThreadStopped) return null;
    throw error;
  }
}

const readers: { readonly [K in Kind]: (given: Work[K][0]) => Work[K][1] | Promise<Work[K][1]> } = {
  rules({ address, text }) {
    const robots = parseRobots(address, text);
    return {
      delayMs: (robots.getCrawlDelay(AGENT) ?? 0) * 1000,
      sitemaps: robots.getSitemaps().slice(0, MAX_NAMED_SITEMAPS),
    };
  },
  allowed({ address, text, urls }) {
    const robots = parseRobots(address, text);
    return urls.map((url) => robots.isAllowed(url, AGENT) !== false);
  },
  sitemap: sitemapEntries,
  async page({ bytes, url }) {
    const text = await decodeText(bytes).catch(() => null);
    return text === null ? null : pageHead(text, url);
  },
};

serveThread<Job>(NAME, ({ kind, given }) => readers[kind](given as never));

/** The addresses of a sitemap, or those of an index of sitemaps. */
function sitemapEntries(xml: string): SitemapEntries {
  const pages: string[] = [];
  const sitemaps: string[] = [];
  let into: { readonly list: string[]; readonly max: number } | null = null;
  let text: string | null = null;
  readXml(xml, {
    open(name) {
      if (name === 'url') into = { list: pages, max: MAX_SITEMAP_PAGES };
      else if (name === 'sitemap') into = { list: sitemaps, max: MAX_NAMED_SITEMAPS };
      else if (name === 'loc') text = '';
    },
    text(words) {
      if (text !== null) text = (text + words).slice(0, MAX_ADDRESS_LENGTH);
    },
    close(name) {
      if (name !== 'loc') return;
      if (into !== null && text !== null && into.list.length < into.max) into.list.push(text.trim());
      text = null;
    },
  });
  return { pages, sitemaps };
}
