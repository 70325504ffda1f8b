import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endProcess, readyUrl } from '../local-service.ts';

const SERVER = fileURLToPath(new URL('langgraph-server.ts', import.meta.url));
const WARM_UP = 20;

/**
 * Runs of ten nodes over HTTP, in turn: by the service and by LangGraph with a checkpointer.
 * @param folder with node_modules/@langchain/langgraph
 * @param runHere one run by the service; gives its answer
 * @returns a line that says the medians and their ratio
 */
export async function againstLangGraph(
  folder: string,
  rounds: number,
  runHere: () => Promise<string>,
): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'tripod-bench-'));
  const server = spawn(process.execPath, [SERVER, folder, join(data, 'checkpoints')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await readyUrl(server, 'LangGraph');
    const runThere = async () => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ inputs: { n: 5 } }) });
      return ((await response.json()) as { data: { answer: string } }).data.answer;
    };
    const [here, there]: [number[], number[]] = [[], []];
    for (let round = -WARM_UP; round < rounds; round++) {
      const started = performance.now();
      const ours = await runHere();
      const between = performance.now();
      const theirs = await runThere();
      const ended = performance.now();
      if (ours !== theirs) throw new Error(`The service answered ${ours}, LangGraph ${theirs}`);
      if (round < 0) continue;
      here.push(between - started);
      there.push(ended - between);
    }
    const [ms, theirMs] = [middle(here), middle(there)];
    return `service ${ms.toFixed(2)} ms, LangGraph ${theirMs.toFixed(2)} ms, ${(ms / theirMs).toFixed(2)} × (bar 1.0)`;
  } finally {
    await endProcess(server);
    await rm(data, { recursive: true, force: true });
  }
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
