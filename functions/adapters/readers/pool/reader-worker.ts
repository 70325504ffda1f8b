/** The program of a reader process: reads and judges the pages that its parent sends, one at a time, until the parent is gone. */
import { flushCompileCache } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import type { PageJudge } from '../../../extraction/domain/page-judge.ts';
import { openJudge } from '../open-judge.ts';
import { endWithParent } from './end-with-parent.ts';
import { ProcessorLimit } from './processor-limit.ts';
import {
  describeFailure,
  type PageOutcome,
  type PageToJudge,
  type ReaderMessage,
  type ReaderWorkerOptions,
} from './reader-messages.ts';

// Reading takes whole cores for seconds: what answers requests goes first. Level with the programs of the sandbox (sandbox/launcher/program.h).
setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + constants.priority.PRIORITY_BELOW_NORMAL));
process.once('disconnect', () => process.exit());
endWithParent();
const processorLimit = new ProcessorLimit();
// Ctrl-C reaches the whole process group; the parent decides when its readers end.
process.on('SIGINT', () => undefined);

try {
  const options = JSON.parse(process.argv[2] ?? '{}') as ReaderWorkerOptions;
  const pages = await openJudge(options);
  process.on('message', (page: PageToJudge) => void judge(pages, page));
  send({ kind: 'ready' });
  // Not at the end, which is sudden when the parent's was.
  flushCompileCache();
} catch (error) {
  send({ kind: 'cannot_start', message: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}

async function judge(pages: PageJudge, { image, template, processorSeconds, ...options }: PageToJudge): Promise<void> {
  processorLimit.begin(processorSeconds);
  const outcome = await pages.judge(image, template, options).then(
    (judgement): PageOutcome => ({ kind: 'judged', judgement }),
    (error: unknown) => describeFailure(error),
  );
  processorLimit.end();
  send({ kind: 'page', outcome, memoryMegabytes: process.memoryUsage.rss() / 2 ** 20 });
}

function send(message: ReaderMessage): void {
  process.send?.(message);
}
