import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../../../lib/packaging/paths.ts';
import type { FunctionRights } from './rights.ts';

/** Everything that the templates are made from. */
const SOURCES = [
  'lib/**/*.ts',
  'functions/**/*.ts',
  'test/stack/synthesized.ts',
  'test/helpers/rights/*.ts',
  'cdk.json',
  'package-lock.json',
];

/**
 * The rights of every route and worker by its id, as synthesized for a deployment with everything that has rights. Synthesis
 * takes seconds: its result is kept for as long as nothing changes that it is made from.
 */
export async function functionRights(): Promise<ReadonlyMap<string, FunctionRights>> {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: repository }).sort())
    hash.update(file).update(readFileSync(join(repository, file)));
  const kept = join(repository, 'node_modules/.cache/tripod', `rights-${hash.digest('hex').slice(0, 16)}.json`);
  const known = read(kept);
  if (known !== undefined) return known;
  // Only now: the CDK alone takes longer to load than most tests.
  const { synthesizedRights } = await import('./synthesized-rights.ts');
  const made = synthesizedRights();
  mkdirSync(dirname(kept), { recursive: true });
  const unfinished = `${kept}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify([...made]));
  renameSync(unfinished, kept);
  return made;
}

function read(file: string): ReadonlyMap<string, FunctionRights> | undefined {
  try {
    return new Map(JSON.parse(readFileSync(file, 'utf8')) as [string, FunctionRights][]);
  } catch {
    return undefined;
  }
}
