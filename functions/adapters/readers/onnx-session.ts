import type * as Ort from 'onnxruntime-node';

export interface OnnxSession {
  readonly runtime: typeof Ort;
  readonly session: Ort.InferenceSession;
}

/** A model, ready to run on the processor. */
export async function onnxSession(file: string, threads: number): Promise<OnnxSession> {
  // Before it is loaded: since 1.29 the runtime reports models and devices to Microsoft, and writes a log for each process.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const runtime = await import('onnxruntime-node');
  // Before the first session: the runtime warns in plain lines, such as of processors of arm64 that it does not know.
  runtime.env.logLevel = 'error';
  const session = await runtime.InferenceSession.create(file, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // A thread with nothing to do gives its core to others: spinning costs half as much again where cores are shared.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    logSeverityLevel: 3,
  });
  return { runtime, session };
}
