import { memoizeAsync } from '../../shared/memoize-async.ts';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import { TooBusy } from '../../shared/too-busy.ts';
import type { TemplateSyntax, Templates } from '../../workflows/domain/effects/effect-ports.ts';
import { NodeFailed } from '../../workflows/domain/run/node-effects.ts';
import type { TemplateChecks } from '../../workflows/domain/template-issues.ts';
import { BoundedThreads, serveThread, ThreadStopped } from '../threads/bounded-threads.ts';
import type { Filled } from './filled-template.ts';

const MAX_TEMPLATE_LENGTH = 100_000;
const MAX_RENDER_MS = 500;

interface Job {
  readonly template: string;
  readonly syntax: TemplateSyntax;
  /** Null: only its syntax is checked. */
  readonly values: object | null;
}

const NAME = 'tripod-templates-thread';
const OPTIONS = { module: import.meta.url, name: NAME, threads: 2, threadsPerTenant: 1, areKept: true } as const;
const LIMITS = { seconds: MAX_RENDER_MS / 1000, heapMb: 96 };
const LIMIT = `takes more time or memory than one may (${MAX_RENDER_MS} ms, ${MAX_TEMPLATE_LENGTH} characters, 4,000,000 of text)`;

/** Checks and fills templates in threads that all workspaces share. */
export class ThreadedTemplates implements Templates, TemplateChecks {
  readonly #threads = new BoundedThreads<Job, Filled>({ ...OPTIONS, ...LIMITS });

  /** @throws NodeFailed */
  async render(template: string, values: object, syntax: TemplateSyntax, caller: JobCaller): Promise<string> {
    const filled = await this.#run({ template, syntax, values }, caller).catch((error: unknown) => {
      if (!(error instanceof TooBusy)) throw error;
      throw new NodeFailed('too_busy', 'Too many templates of your workspace wait already.', { isPassing: true });
    });
    if ('text' in filled) return filled.text;
    if ('limit' in filled) throw new NodeFailed('template_limit', `The template ${LIMIT}. Loop over less.`);
    throw new NodeFailed('template_failed', `The template cannot be filled: ${filled.fault}`);
  }

  /** @throws TooBusy */
  async faultOf(template: string, syntax: TemplateSyntax, caller: JobCaller): Promise<string | null> {
    const filled = await this.#run({ template, syntax, values: null }, caller);
    if ('limit' in filled) return `it ${LIMIT}`;
    return 'fault' in filled ? filled.fault : null;
  }

  async #run(job: Job, caller: JobCaller): Promise<Filled> {
    if (job.template.length > MAX_TEMPLATE_LENGTH) return { limit: true };
    try {
      return await this.#threads.run(job, caller);
    } catch (error) {
      if (!(error instanceof ThreadStopped)) throw error;
      return { limit: true };
    }
  }
}

const engines = memoizeAsync(async () => {
  const { fillJinja, jinjaFault } = await import('./jinja-templates.ts');
  const { LiquidTemplates } = await import('./liquid-templates.ts');
  return { fillJinja, jinjaFault, liquid: new LiquidTemplates() };
});

serveThread<Job>(
  NAME,
  async ({ template, syntax, values }): Promise<Filled> => {
    const { fillJinja, jinjaFault, liquid } = await engines();
    if (values !== null) return syntax === 'jinja2' ? fillJinja(template, values) : liquid.fill(template, values);
    const fault = syntax === 'jinja2' ? jinjaFault(template) : liquid.faultOf(template);
    return fault === null ? { text: '' } : { fault };
  },
  engines,
);
