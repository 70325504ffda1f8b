import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type AnyNode, parse } from 'acorn';
import { transform } from 'esbuild';
import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
/** All code that sees a client's text. */
const FOLDERS = '{functions,gateway,intake,sandbox,local}/**/*.ts';

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** Ways in which the time of a pattern may grow faster than its text. */
const flaws = (pattern: Pattern) =>
  analyse(pattern).reports.map(({ type, exponential }) => `${type}, ${exponential ? 'exponential' : 'quadratic'}`);

describe('the analysis', () => {
  it.each([
    ['a run that two parts can share', /^\d*[\d.]*x$/],
    ['a run that is tried from each of its places', /\s+$/],
    ['a repetition of a repetition', /^(?:a+)+$/],
  ])('finds %s', (_, pattern) => {
    expect(flaws(pattern)).not.toEqual([]);
  });

  it('passes linear patterns', () => {
    expect(flaws(/(?<!\s)\s+$/)).toEqual([]);
  });
});

describe('no pattern takes longer than its text is long', () => {
  it('that is written as one', async () => {
    const found = await all(literals());
    expect(found.length).toBeGreaterThan(100);
    expect(found.flatMap(({ file, ...pattern }) => flaws(pattern).map((flaw) => ({ file, ...pattern, flaw })))).toEqual(
      [],
    );
  });

  it('that a module makes of parts when it is loaded', async () => {
    const made = await all(composed());
    expect(made.length).toBeGreaterThan(3);
    expect(made.flatMap((pattern) => flaws(pattern).map((flaw) => ({ ...pattern, flaw })))).toEqual([]);
  });
});

async function all<T>(generated: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of generated) values.push(value);
  return values;
}

async function* modules(): AsyncGenerator<{ readonly file: string; readonly nodes: AnyNode[] }> {
  for await (const file of glob(FOLDERS, { cwd: fileURLToPath(ROOT) })) {
    if (file.endsWith('.d.ts')) continue;
    const { code } = await transform(await readFile(new URL(file, ROOT), 'utf8'), { loader: 'ts' });
    yield { file, nodes: [...nodesOf(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))] };
  }
}

async function* literals(): AsyncGenerator<Pattern & { readonly file: string }> {
  for await (const { file, nodes } of modules())
    for (const node of nodes)
      if (node.type === 'Literal' && node.regex) yield { file, source: node.regex.pattern, flags: node.regex.flags };
}

/** The constructor's arguments while the modules that call it are loaded. */
async function* composed(): AsyncGenerator<Pattern> {
  const original = globalThis.RegExp;
  const made: Pattern[] = [];
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags = '']: [string, string?]) {
      if (typeof source === 'string') made.push({ source, flags });
      return new target(source, flags);
    },
  });
  try {
    for await (const { file, nodes } of modules())
      if (nodes.some((node) => node.type === 'NewExpression' && isNamed(node.callee, 'RegExp')))
        await import(new URL(file, ROOT).href);
  } finally {
    globalThis.RegExp = original;
  }
  yield* made;
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function* nodesOf(node: AnyNode): Generator<AnyNode> {
  yield node;
  for (const member of Object.values(node).flat()) if (isNode(member)) yield* nodesOf(member);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
