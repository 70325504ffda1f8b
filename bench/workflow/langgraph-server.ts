/**
 * The ten nodes of `bench workflow` in LangGraph behind HTTP, for `against-langgraph.ts`. Its checkpoints are kept in memory and
 * appended to a file, as the service's runs are kept in its database.
 *
 *     node langgraph-server.ts <folder with node_modules/@langchain/langgraph> <file for checkpoints>
 */
import { appendFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Liquid } from 'liquidjs';

const [folder, file] = process.argv.slice(2) as [string, string];
const require = createRequire(join(folder, 'package.json'));
const { Annotation, END, MemorySaver, START, StateGraph } = await import(
  pathToFileURL(require.resolve('@langchain/langgraph')).href
);

class FileSaver extends MemorySaver {
  // biome-ignore lint/suspicious/noExplicitAny: the package is not installed here.
  async put(config: any, checkpoint: unknown, metadata: unknown) {
    await appendFile(file, `${JSON.stringify({ config, checkpoint, metadata })}\n`);
    return super.put(config, checkpoint, metadata);
  }
}

const liquid = new Liquid();
const parsed = liquid.parse('Value {{ v | plus: 1 }}');
type State = Readonly<Record<string, string | number>>;
const template = (name: string, of: string) => async (state: State) => ({
  [name]: await liquid.render(parsed, { v: state[of] }),
});
const names = ['n', 'a', 'b', 'set', 'c', 'd', 'join', 'answer'];
const graph = new StateGraph(Annotation.Root(Object.fromEntries(names.map((name) => [name, Annotation()]))))
  .addNode('start_node', ({ n }: State) => ({ n }))
  .addNode('check', () => ({}))
  .addNode('a_node', template('a', 'n'))
  .addNode('b_node', template('b', 'n'))
  .addNode('set_node', ({ a, b }: State) => ({ set: `${a} ${b}` }))
  .addNode('c_node', template('c', 'set'))
  .addNode('d_node', template('d', 'c'))
  .addNode('join_node', ({ d }: State) => ({ join: d }))
  .addNode('end_node', ({ join: text }: State) => ({ answer: text }))
  .addNode('small', () => ({ answer: 'small' }))
  .addEdge(START, 'start_node')
  .addEdge('start_node', 'check')
  .addConditionalEdges('check', ({ n }: State) => (Number(n) > 3 ? ['a_node', 'b_node'] : ['small']))
  .addEdge(['a_node', 'b_node'], 'set_node')
  .addEdge('set_node', 'c_node')
  .addEdge('c_node', 'd_node')
  .addEdge('d_node', 'join_node')
  .addEdge('join_node', 'end_node')
  .addEdge('end_node', END)
  .addEdge('small', END)
  .compile({ checkpointer: new FileSaver() });

let threads = 0;
const server = http.createServer(async (request, response) => {
  const { inputs } = (await json(request)) as { inputs: State };
  const { answer } = await graph.invoke(inputs, { configurable: { thread_id: String(threads++) } });
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { answer } }));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`LangGraph is ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
