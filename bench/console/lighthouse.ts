import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Bench, type Figure, logIn, openBrowser, PAGES } from './visit.ts';

const VERSION = '13.5.0';
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/lighthouse/', import.meta.url));
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const LEAST = 95;

type Scores = Readonly<Record<(typeof CATEGORIES)[number], number>>;

interface Report {
  readonly categories: Readonly<Record<(typeof CATEGORIES)[number], { readonly score: number }>>;
  readonly environment: { readonly benchmarkIndex: number };
}

/** Measures every main page for a logged-in person whose browser has cached no file. */
export async function* measureLighthouse(bench: Bench): AsyncGenerator<Figure> {
  const lighthouse = await installed();
  const folder = await mkdtemp(join(tmpdir(), 'tripod-lighthouse-'));
  const port = await freePort();
  const browser = await openBrowser(folder, [`--remote-debugging-port=${port}`]);
  try {
    const page = browser.pages()[0]!;
    await logIn(page, bench);
    const devTools = await browser.newCDPSession(page);
    for (const form of ['mobile', 'desktop'] as const)
      for (const path of PAGES) {
        const seen: Scores[] = [];
        const indexes: number[] = [];
        // One good look is enough; where it is not, the median of all counts.
        while (seen.length < bench.runs && !(seen.length === 1 && isGood(seen[0]!))) {
          await devTools.send('Network.clearBrowserCache');
          const { categories, environment } = await look(lighthouse, bench.url + path, { form, port, folder });
          seen.push(scoresOf((name) => Math.round(categories[name].score * 100)));
          indexes.push(environment.benchmarkIndex);
        }
        const median = scoresOf((name) => middle(seen.map((scores) => scores[name])));
        yield {
          what: `Lighthouse, ${form}, ${path} (machine: ${Math.round(middle(indexes))})`,
          figure: CATEGORIES.map((name) => median[name]).join(' · '),
          bar: `${LEAST} each: ${CATEGORIES.join(', ')}`,
          isMet: isGood(median),
        };
      }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function look(
  lighthouse: string,
  url: string,
  { form, port, folder }: { form: 'mobile' | 'desktop'; port: number; folder: string },
): Promise<Report> {
  const report = join(folder, 'report.json');
  const command = [
    ...[lighthouse, url, `--port=${port}`, '--quiet', '--output=json', `--output-path=${report}`],
    // The session's cookie stays.
    '--disable-storage-reset',
    `--only-categories=${CATEGORIES.join(',')}`,
    ...(form === 'desktop' ? ['--preset=desktop'] : []),
  ];
  const run = () => promisify(execFile)(process.execPath, command);
  // A trace now and then misses its first event: Lighthouse then asks to be run again.
  await run().catch((error: unknown) => (String(error).includes('NO_NAVSTART') ? run() : Promise.reject(error)));
  return JSON.parse(await readFile(report, 'utf8')) as Report;
}

/** @returns its script */
async function installed(): Promise<string> {
  const script = join(FOLDER, 'node_modules/lighthouse/cli/index.js');
  const { version } = JSON.parse(
    await readFile(join(FOLDER, 'node_modules/lighthouse/package.json'), 'utf8').catch(() => '{}'),
  ) as { version?: string };
  if (version === VERSION) return script;
  const options = ['--prefix', FOLDER, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options, `lighthouse@${VERSION}`]);
  return script;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function scoresOf(score: (name: (typeof CATEGORIES)[number]) => number): Scores {
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
  };
}

function isGood(scores: Scores): boolean {
  return CATEGORIES.every((name) => scores[name] >= LEAST);
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
