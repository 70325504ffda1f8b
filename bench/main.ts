/** `npm run bench NAME [-- options]` runs one benchmark; without a name it lists them. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BENCHMARKS } from './benchmarks.ts';

const [name = '', ...options] = process.argv.slice(2);
if (name in BENCHMARKS) {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  process.exitCode = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' }).status ?? 1;
} else {
  const list = Object.entries(BENCHMARKS).map(([each, measures]) => `  ${each.padEnd(12)} ${measures}`);
  console.error(`Usage: npm run bench <name> [-- options]\n\n${list.join('\n')}`);
  process.exitCode = name === '' ? 0 : 1;
}
