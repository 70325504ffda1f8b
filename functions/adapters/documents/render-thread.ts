import { ExecutionRefused } from '../../sandbox/domain/execution-refused.ts';
import type { FileRenderer, FileWork } from '../../sandbox/domain/files/make-file.ts';
import { BoundedThreads, serveThread, type ThreadLimits, ThreadStopped } from '../threads/bounded-threads.ts';

const LIMITS: ThreadLimits = { seconds: 25, heapMb: 384 };
const NAME = 'tripod-render-thread';
/** A workspace has one thread at a time, so that many files of one do not use up the memory of the process. */
const OPTIONS = { module: import.meta.url, name: NAME, threads: 2, threadsPerTenant: 1, areKept: false } as const;

type Outcome = { readonly bytes: Uint8Array } | { readonly refused: string };

/** Renders each file in a separate thread, within limits of time and memory. */
export function threadedRenderer(limits: ThreadLimits = LIMITS): FileRenderer {
  const threads = new BoundedThreads<FileWork, Outcome>({ ...OPTIONS, ...limits });
  return {
    async render(workspaceId, work, signal) {
      const outcome = await threads.run(work, { tenant: workspaceId, signal }).catch((cause: unknown) => {
        if (!(cause instanceof ThreadStopped)) throw cause;
        const message = `The file takes more than ${limits.seconds} seconds or ${limits.heapMb} MB to make. Send less text, or smaller tables.`;
        throw Object.assign(new ExecutionRefused('invalid_request', message), { cause });
      });
      if ('bytes' in outcome) return outcome.bytes;
      throw new ExecutionRefused('invalid_request', outcome.refused);
    },
  };
}

async function outcomeOf(work: FileWork): Promise<Outcome> {
  try {
    return { bytes: await rendered(work) };
  } catch (error) {
    if (error instanceof ExecutionRefused) return { refused: error.message };
    throw error;
  }
}

async function rendered(work: FileWork): Promise<Uint8Array> {
  if (work.kind === 'chart') {
    const [{ svgChart }, { toChart }] = await Promise.all([
      import('./svg-chart.ts'),
      import('../../sandbox/domain/files/chart.ts'),
    ]);
    return Buffer.from(svgChart(toChart(work.chart)));
  }
  const { markdownDocument } = await import('../../sandbox/domain/files/markdown-document.ts');
  const document = markdownDocument(work.markdown, work.title);
  if (work.kind === 'docx') {
    const { docxDocument } = await import('./docx-document.ts');
    return docxDocument(document);
  }
  const { pdfDocument } = await import('./pdf-document.ts');
  return pdfDocument(document);
}

serveThread<FileWork>(NAME, outcomeOf);
