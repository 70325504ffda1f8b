import { hasMoreValues, MAX_VALUES } from '../../shared/bounded-json.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import type { Json } from '../../workflows/domain/graph/graph.ts';
import { WorkflowRefused } from '../../workflows/domain/workflow-refused.ts';
import { BoundedThreads, serveThread, ThreadStopped } from '../threads/bounded-threads.ts';

/** The largest published export takes half a second; a busy machine takes several times as long. */
const LIMITS = { seconds: 15, heapMb: 512 };
/** Aliases multiply what a text describes. */
const MAX_JSON_LENGTH = 10_000_000;
const NAME = 'tripod-yaml-thread';

type Outcome = { readonly json: string } | { readonly refused: string };

const threads = new BoundedThreads<string, Outcome>({
  ...{ module: import.meta.url, name: NAME, threads: 2, threadsPerTenant: 1, areKept: true },
  ...LIMITS,
});

/** The value that a YAML text describes, read in a thread. @throws WorkflowRefused 'invalid_dsl', TooBusy */
export async function threadedYaml(text: string, caller: JobCaller): Promise<Json> {
  try {
    const outcome = await threads.run(text, caller);
    if ('refused' in outcome) throw new WorkflowRefused('invalid_dsl', outcome.refused);
    return JSON.parse(outcome.json) as Json;
  } catch (error) {
    if (!(error instanceof ThreadStopped)) throw error;
    const message = `The text is not YAML that can be imported: reading it takes more than ${LIMITS.seconds} seconds or ${LIMITS.heapMb} MB. Nest less, and leave large texts out.`;
    throw new WorkflowRefused('invalid_dsl', message);
  }
}

const parser = memoizeAsync(() => import('./yaml-document.ts'));

serveThread<string>(
  NAME,
  async (text): Promise<Outcome> => {
    const { parseYaml } = await parser();
    try {
      const json = JSON.stringify(parseYaml(text) ?? null);
      if (json.length > MAX_JSON_LENGTH)
        return { refused: `The text describes more than ${MAX_JSON_LENGTH} characters. Use fewer aliases.` };
      if (hasMoreValues(json, MAX_VALUES))
        return { refused: `The text describes more than ${MAX_VALUES} values. Import it in parts.` };
      return { json };
    } catch (error) {
      if (error instanceof WorkflowRefused) return { refused: error.message };
      if (error instanceof RangeError) return { refused: 'The text nests too deeply.' };
      throw error;
    }
  },
  parser,
);
