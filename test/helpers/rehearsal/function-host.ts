/**
 * A function in its own process, as Lambda runs it: its bundle, its role's name and its synthesized environment, nothing of
 * the repository. The parent sends events and gets results, or the parts of a stream.
 */
import { Writable } from 'node:stream';
import { installLambdaGlobal, isStreaming } from '../../../gateway/response-stream.ts';

export interface Call {
  readonly call: number;
  readonly event: unknown;
  readonly requestId: string;
  readonly deadlineMs: number;
}

export type Answer =
  | { readonly call: number; readonly kind: 'result'; readonly value: unknown }
  | { readonly call: number; readonly kind: 'error'; readonly name: string; readonly message: string }
  | { readonly call: number; readonly kind: 'prelude'; readonly prelude: object }
  | { readonly call: number; readonly kind: 'part'; readonly bytes: Buffer };

/** Target of a streaming handler, as far as `awslambda` offers one. */
class Parts extends Writable {
  readonly #send: (answer: Answer) => void;
  readonly #call: number;

  constructor(call: number, send: (answer: Answer) => void) {
    super();
    this.#call = call;
    this.#send = send;
  }

  setContentType(contentType: string): void {
    this.setPrelude({ headers: { 'content-type': contentType } });
  }

  setPrelude(prelude: object): void {
    this.#send({ call: this.#call, kind: 'prelude', prelude });
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#send({ call: this.#call, kind: 'part', bytes });
    done();
  }
}

const send = (answer: Answer) => void process.send!(answer);

installLambdaGlobal();
// Top-level code runs with the rights of the function too, as in a cold start.
const { handler } = (await import(process.argv[2]!)) as { handler: (...args: unknown[]) => unknown };

async function run({ call, event, requestId, deadlineMs }: Call): Promise<void> {
  const context = {
    awsRequestId: requestId,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
  try {
    const isStream = isStreaming(handler);
    const parts = new Parts(call, send);
    const value = await (isStream ? handler(event, parts, context) : handler(event, context));
    send({ call, kind: 'result', value: isStream ? null : value });
  } catch (error) {
    const { name, message } = error as Error;
    send({ call, kind: 'error', name, message });
  }
}

process.on('message', (message) => void run(message as Call));
process.on('disconnect', () => process.exit());
process.send!('ready');
