import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ExecutionRefused } from '../../sandbox/domain/execution-refused.ts';
import type { FileRenderer, FileWork } from '../../sandbox/domain/files/make-file.ts';

export interface RenderLimits {
  readonly seconds: number;
  readonly heapMb: number;
}

const LIMITS: RenderLimits = { seconds: 25, heapMb: 384 };
/** Marks the worker threads of this module among others. */
const THREAD = 'tripod-render-thread';

type Outcome = { readonly bytes: Uint8Array } | { readonly refused: string };

/**
 * Renders each file in a separate thread, which is ended when it takes too much time or memory: the event loop stays free. A workspace has
 * one thread at a time in this process, so that many files of one do not use up its memory.
 */
export function threadedRenderer(limits: RenderLimits = LIMITS): FileRenderer {
  const last = new Map<string, Promise<unknown>>();
  return {
    render(workspaceId, work, signal) {
      const before = last.get(workspaceId) ?? Promise.resolve();
      const rendering = before.then(() => inThread(work, signal, limits));
      const settled = rendering
        .catch(() => undefined)
        .then(() => {
          if (last.get(workspaceId) === settled) last.delete(workspaceId);
        });
      last.set(workspaceId, settled);
      return rendering;
    },
  };
}

async function inThread(work: FileWork, signal: AbortSignal, { seconds, heapMb }: RenderLimits): Promise<Uint8Array> {
  signal.throwIfAborted();
  const tooLarge = (cause?: unknown) => {
    const message = `The file takes more than ${seconds} seconds or ${heapMb} MB to make. Send less text, or smaller tables.`;
    return Object.assign(new ExecutionRefused('invalid_request', message), { cause });
  };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { thread: THREAD, work },
    // Flags of the process, --eval among them, are not for this module.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(() => reject(tooLarge()), seconds * 1000);
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(error) : error),
  );
  worker.once('exit', (code) => reject(new Error(`The thread of a file ended with ${code}.`)));
  try {
    const outcome = await promise;
    if ('bytes' in outcome) return outcome.bytes;
    throw new ExecutionRefused('invalid_request', outcome.refused);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    // The memory of a thread is free before the next one starts.
    await worker.terminate();
  }
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

const given = workerData as { readonly thread?: unknown; readonly work: FileWork } | null;
if (!isMainThread && given?.thread === THREAD) parentPort!.postMessage(await outcomeOf(given.work));
