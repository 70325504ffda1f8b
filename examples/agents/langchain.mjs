/**
 * A LangChain agent whose model runs programs in the sandbox: npm install @langchain/core @langchain/openai zod
 *
 *   TRIPOD_URL=http://127.0.0.1:3000 KEY=... OPENAI_API_KEY=... node langchain.mjs "What is the 20th prime?"
 *
 * OPENAI_BASE_URL and MODEL choose another model; a chat application's base URL is one.
 */
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

const { TRIPOD_URL = 'http://127.0.0.1:3000', KEY, MODEL = 'gpt-5-mini' } = process.env;
const MAX_STEPS = 10;

const runProgram = tool(
  async (program) => {
    const response = await fetch(`${TRIPOD_URL}/api/v1/execute`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(program),
    });
    // An error's text names the fault and the remedy: the model can act on it.
    const { detail, stdout, stderr, exit_code } = await response.json();
    return JSON.stringify(response.ok ? { stdout, stderr, exit_code } : { error: detail, stdout, stderr });
  },
  {
    name: 'run_program',
    description: 'Runs a program without network and returns what it prints.',
    schema: z.object({
      language: z.enum(['python', 'javascript', 'typescript', 'ruby', 'go', 'bash']),
      code: z.string().describe('The whole program. It prints its results.'),
      stdin: z.string().optional(),
    }),
  },
);

const model = new ChatOpenAI({ model: MODEL, configuration: { baseURL: process.env.OPENAI_BASE_URL } }).bindTools([runProgram]);
const messages = [new SystemMessage('Compute with run_program, never in your head.'), new HumanMessage(process.argv[2])];
for (let step = 0; step < MAX_STEPS; step += 1) {
  const answer = await model.invoke(messages);
  messages.push(answer);
  if (!answer.tool_calls?.length) {
    console.log(answer.text);
    break;
  }
  for (const call of answer.tool_calls) messages.push(await runProgram.invoke(call));
}
