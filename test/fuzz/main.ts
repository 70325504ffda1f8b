/**
 * `npm run fuzz [-- --seconds 600] [--seed text] [--target images]`: sends damaged and hostile input to every part that takes strangers'
 * input, on a separate local service. Each input follows from the seed. One that finds something is written to
 * test/fixtures/fuzz/<target>/, where the suite tries it again from then on; the program ends with 1 then.
 */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../../bench/arguments.ts';
import { fuzz } from './campaign.ts';
import { startFuzzedService } from './service.ts';
import { targets } from './targets.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: new Date().toISOString() },
    target: { type: 'string' },
  },
});
const seconds = wholeNumber(values.seconds, '--seconds');
const chosen = targets.filter(({ name }) => values.target === undefined || name === values.target);
if (chosen.length === 0) throw new Error(`--target is one of ${targets.map(({ name }) => name).join(', ')}.`);

console.log(`seed ${values.seed}`);
const service = await startFuzzedService();
try {
  for (const target of chosen) {
    const untilMs = Date.now() + (seconds * 1000) / chosen.length;
    const campaign = { seed: values.seed, maxInputs: Number.POSITIVE_INFINITY, untilMs };
    const { inputs, finding } = await fuzz(target, service, campaign);
    if (finding === null) {
      console.log(`${target.name.padEnd(13)} ${inputs} inputs, nothing found`);
      continue;
    }
    const folder = new URL(`../fixtures/fuzz/${target.name}/`, import.meta.url);
    const name = createHash('sha256').update(finding.input).digest('hex').slice(0, 12);
    await mkdir(folder, { recursive: true });
    await writeFile(new URL(name, folder), finding.input);
    console.log(
      `${target.name.padEnd(13)} input ${inputs}: ${finding.message}\n  kept as test/fixtures/fuzz/${target.name}/${name}`,
    );
    process.exitCode = 1;
  }
} finally {
  await service.end();
}
