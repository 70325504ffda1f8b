import type * as z from 'zod';
import { executeRoute } from '../../sandbox/routes.ts';
import type { executionResult, outputFile } from '../../sandbox/schemas.ts';
import { runProgramArguments } from '../schemas.ts';
import type { Content, ToolDefinition } from './tool.ts';

type Result = z.output<typeof executionResult>;
type File = z.output<typeof outputFile>;

/** Picture formats that models see. */
const SEEN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const runProgram: ToolDefinition = {
  kind: 'run_program',
  name: 'run_program',
  title: 'Run a program',
  description:
    'Runs a program in a sandbox without network and returns its stdout, stderr and exit code. Send files by path in `files`; what the ' +
    'program writes below out/ comes back. With session_id and session: {"keep": true}, python and javascript find the variables of ' +
    'earlier calls.',
  arguments: runProgramArguments,
  route: executeRoute,
  isReadOnly: false,
  isOpenWorld: false,
  toInput: (args) => ({ body: args }),
  toOutput(body) {
    const { files, ...result } = body as Result;
    // Each byte once: models get pictures to look at, and no base64 to read.
    const named = files && { files: files.map(({ content_base64: _, ...file }) => file) };
    const shown = { ...result, ...named };
    return {
      content: [{ type: 'text', text: JSON.stringify(shown) }, ...(files ?? []).map(fileContent)],
      structuredContent: shown,
    };
  },
};

function fileContent({ path, size, media_type: mimeType, content_base64: data, url }: File): Content {
  if (data === undefined) return { type: 'resource_link', uri: url ?? '', name: path, mimeType, size };
  if (SEEN.has(mimeType)) return { type: 'image', data, mimeType };
  const uri = `file:///${path.split('/').map(encodeURIComponent).join('/')}`;
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}
