import { readFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { countDeadLetter } from '../../../functions/adapters/sqs/dead-letters.ts';
import { grantsOfKind } from '../../../functions/shared/access.ts';
import { handlerModule } from '../../../functions/shared/handler-module.ts';
import { workers } from '../../../functions/workers.ts';

afterEach(() => vi.restoreAllMocks());

it('a message that is given up is named in the log and counted for the alarm', async () => {
  const lines: string[] = [];
  for (const output of [process.stdout, process.stderr])
    vi.spyOn(output, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  await countDeadLetter({ jobId: 'job_1', index: 3 });
  vi.restoreAllMocks();
  const written = lines.map((line) => JSON.parse(line));
  expect(written).toContainEqual(expect.objectContaining({ level: 'WARN', deadLetter: { jobId: 'job_1', index: 3 } }));
  expect(written).toContainEqual(expect.objectContaining({ DeadLetters: 1 }));
});

const ofDeadLetters = workers.filter(({ access }) =>
  grantsOfKind(access, 'queue').some(({ uses }) => uses.includes('consume-dead-letters')),
);

it.each(ofDeadLetters.map((worker) => [worker.id, worker] as const))(
  '%s counts what it gives up',
  async (_, worker) => {
    const source = await readFile(new URL(`../../../functions/${handlerModule(worker)}.ts`, import.meta.url), 'utf8');
    // Channels count a message when they have stored it among the dead letters.
    expect(source).toMatch(/await onDeadLetter\(|failPorts\(\)/);
  },
);
