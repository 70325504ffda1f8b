import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Environment, Interpreter, parse, Template, tokenize } from '@huggingface/jinja';
import { NodeFailed } from '../../workflows/domain/run/node-effects.ts';

/** Marks the worker threads of this module among others. */
const THREAD = 'tripod-jinja-thread';
const MAX_TEMPLATE_LENGTH = 100_000;
/** Of one rendering, the start of a thread not included. */
const MAX_RENDER_MS = 500;
const MAX_OUTPUT_LENGTH = 4_000_000;
const MAX_RANGE = 10_000;
const HEAP_MB = 64;

interface Job {
  readonly template: string;
  readonly values: object;
}

type Outcome = { readonly text: string } | { readonly fault: string };

/**
 * Templates in Jinja2, rendered one after another in a thread that is ended when one takes too long or too much memory. The
 * engine interprets a template's syntax tree: no template becomes a program.
 */
export class JinjaThread {
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws NodeFailed */
  render(template: string, values: object): Promise<string> {
    const rendered = this.#last.then(() => this.#render({ template, values }));
    this.#last = rendered.catch(() => undefined);
    return rendered;
  }

  async #render(job: Job): Promise<string> {
    if (job.template.length > MAX_TEMPLATE_LENGTH)
      throw new NodeFailed('template_limit', `The template has more than ${MAX_TEMPLATE_LENGTH} characters.`);
    const worker = this.#worker ?? (await this.#start());
    const outcome = await this.#outcome(worker, job);
    if ('text' in outcome) return outcome.text;
    throw new NodeFailed('template_failed', `The template cannot be filled: ${outcome.fault}`);
  }

  #start(): Promise<Worker> {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { thread: THREAD },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // A process may end while the thread waits for work.
    worker.unref();
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    worker.once('message', () => resolve(worker));
    // One that dies is replaced at the next rendering.
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#worker = null;
      reject(error);
    });
    return promise.then((started) => {
      this.#worker = started;
      return started;
    });
  }

  /** @throws NodeFailed when the thread had to be ended */
  #outcome(worker: Worker, job: Job): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const giveUp = () => {
      this.#worker = null;
      void worker.terminate();
      reject(
        new NodeFailed(
          'template_limit',
          `The template takes more time or memory than one may (${MAX_RENDER_MS} ms, ${MAX_OUTPUT_LENGTH} characters). Loop over less.`,
        ),
      );
    };
    const timer = setTimeout(giveUp, MAX_RENDER_MS);
    worker.once('message', resolve);
    worker.once('error', giveUp);
    worker.postMessage(job);
    return promise.finally(() => {
      clearTimeout(timer);
      worker.off('message', resolve);
      worker.off('error', giveUp);
    });
  }
}

/** The syntax error of a template; null if it has none. */
export function jinjaFault(template: string): string | null {
  try {
    parse(tokenize(template));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function outcomeOf({ template, values }: Job): Outcome {
  try {
    const { parsed } = new Template(template);
    const environment = new Environment();
    for (const [name, value] of Object.entries({
      true: true,
      True: true,
      false: false,
      False: false,
      none: null,
      None: null,
    }))
      environment.set(name, value);
    environment.set('range', range);
    for (const [name, value] of Object.entries(values)) environment.set(name, value);
    const text = String(new Interpreter(environment).run(parsed).value);
    return text.length > MAX_OUTPUT_LENGTH
      ? { fault: `It gives more than ${MAX_OUTPUT_LENGTH} characters.` }
      : { text };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** A value of the engine, as far as it is written. */
interface Written {
  readonly type: string;
  readonly value: unknown;
  toString(): string;
}

/** Lists, mappings and truth values are written as Python writes them, which the engine does in JSON. */
function writeAsPython(): void {
  const environment = new Environment();
  new Interpreter(environment).run(parse(tokenize('{% set samples = [[], {}, 1 == 1] %}')));
  const samples = (environment.lookupVariable('samples') as unknown as Written).value as readonly Written[];
  for (const sample of samples) {
    const prototype = Object.getPrototypeOf(sample) as Written;
    prototype.toString = function (this: Written) {
      return written(this);
    };
  }
}

function written(value: Written): string {
  switch (value.type) {
    case 'ArrayValue':
      return `[${(value.value as readonly Written[]).map(written).join(', ')}]`;
    case 'ObjectValue':
      return `{${[...(value.value as ReadonlyMap<string, Written>)].map(([name, each]) => `${quoted(name)}: ${written(each)}`).join(', ')}}`;
    case 'StringValue':
      return quoted(String(value.value));
    case 'BooleanValue':
      return value.value ? 'True' : 'False';
    case 'NullValue':
      return 'None';
    default:
      return value.toString();
  }
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote;
}

function range(...bounds: readonly number[]): number[] {
  const [start, stop, step] = bounds.length === 1 ? [0, bounds[0]!, 1] : [bounds[0]!, bounds[1]!, bounds[2] ?? 1];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (!Number.isFinite(count) || count > MAX_RANGE) throw new Error(`range() gives more than ${MAX_RANGE} numbers`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

const given = workerData as { readonly thread?: unknown } | null;
if (!isMainThread && given?.thread === THREAD) {
  writeAsPython();
  parentPort!.on('message', (job: Job) => parentPort!.postMessage(outcomeOf(job)));
  parentPort!.postMessage('ready');
}
