import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { BENCHMARKS } from '../../../bench/benchmarks.ts';
import { platforms } from '../../../functions/channels/domain/platforms/platforms.ts';
import { NODE_KINDS } from '../../../functions/workflows/domain/graph/node-types.ts';
import packageFile from '../../../package.json' with { type: 'json' };

const ROOT = new URL('../../../', import.meta.url);
/** Paths that documents name, and the targets of their links within the repository. */
const PATHS =
  /`((?:bench|bin|docs|functions|gateway|intake|lib|local|sandbox|show|test)\/[\w./-]+)`|\]\((?!https?:|mailto:)([^)\s]{1,200})\)/g;

const documents = globSync('{*.md,docs/**/*.md,bench/**/*.md,layers/**/*.md}', { cwd: fileURLToPath(ROOT) }).map(
  (file) => ({ file, text: readFileSync(new URL(file, ROOT), 'utf8') }),
);

/** The anchors of a page's headings, as GitHub makes them, and those that it sets itself. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)]);
}

it('documents name files and headings that exist', async () => {
  const missing: string[] = [];
  for (const { file, text } of documents) {
    const at = new URL(file, ROOT);
    for (const [, path, link = ''] of text.matchAll(PATHS)) {
      const [target = '', anchor] = link.split('#');
      const named = path === undefined ? (target === '' ? at : new URL(target, at)) : new URL(path, ROOT);
      const isThere =
        existsSync(named) &&
        (anchor === undefined ||
          !named.pathname.endsWith('.md') ||
          anchorsOf(await readFile(named, 'utf8')).has(anchor));
      if (!isThere) missing.push(`${file}: ${path ?? link}`);
    }
  }
  expect(missing).toEqual([]);
});

it('documents name npm scripts and benchmarks that exist', () => {
  const scripts = Object.keys(packageFile.scripts);
  const unknown = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/npm run (?:bench ([\w-]+)|([\w:-]+))/g)]
      .filter(([, bench, script]) => (bench === undefined ? !scripts.includes(script!) : !(bench in BENCHMARKS)))
      .map(([all]) => `${file}: ${all}`),
  );
  expect(unknown).toEqual([]);
});

it('README has at most 150 lines of 120 characters and 9 KB', async () => {
  const text = await readFile(new URL('README.md', ROOT), 'utf8');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9_000);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

it('docs/README.md lists every page of docs/', () => {
  const contents = documents.find(({ file }) => file === 'docs/README.md')!.text;
  const listed = (file: string) => contents.includes(`(${file.slice('docs/'.length)})`);
  const pages = documents
    .map(({ file }) => file)
    .filter((file) => /^docs\/(?!README)[^/]+\.md$|^docs\/\w+\/README/.test(file));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((file) => !listed(file))).toEqual([]);
});

it('docs/workflows.md leads to the page of every node type', () => {
  const text = documents.find(({ file }) => file === 'docs/workflows.md')!.text;
  const linked = [...text.matchAll(/\(workflows\/nodes\/(\w+)\.md\)/g)].map(([, type]) => type);
  expect(linked.toSorted()).toEqual(['README', ...Object.keys(NODE_KINDS)].toSorted());
});

it('docs/extraction.md explains every code of a review note', () => {
  const text = documents.find(({ file }) => file === 'docs/extraction.md')!.text;
  const source = readFileSync(new URL('functions/extraction/domain/judging/finding.ts', ROOT), 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});

it.each(Object.values(platforms))('docs/channels/ has a page with every secret and setting of $type', (platform) => {
  const text = documents.find(({ file }) => file === `docs/channels/${platform.type}.md`)!.text;
  const names = [...platform.secrets.required, ...platform.secrets.optional, ...platform.settings.required];
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});
