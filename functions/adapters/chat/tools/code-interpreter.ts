import { type Tool, ToolFailed } from '../../../chat/domain/tools/tool.ts';
import { type ProgramResult, type ProgramToRun, RUN_PROGRAM } from '../../../sandbox/domain/run-program.ts';
import type { Outcome } from '../../../shared/invoked-function.ts';
import { invokeFunction } from '../../lambda/invoke-function.ts';
import { conversationFiles } from './conversation-files.ts';

const LANGUAGES = ['python', 'javascript', 'typescript', 'bash', 'ruby', 'go'];
const TIMEOUT_SECONDS = 30;
/** For each of the two outputs; the tail matters most. */
const MAX_OUTPUT_LENGTH = 16_000;

/** Programs of the model in the sandbox of the platform. */
export function codeInterpreter(name: string): Tool {
  return {
    name,
    description:
      'Runs a program in an isolated sandbox without a network, and returns what it prints. Nothing is kept between runs: ' +
      'each program is complete in itself and prints its results. Files and images of the conversation are in its directory, by ' +
      'their names. What it writes below out/, pictures for example, is returned by addresses that are valid for an hour: ' +
      'show pictures to the user as Markdown images, and link other files.',
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'The whole program' },
        language: { type: 'string', enum: LANGUAGES, description: 'python by default' },
      },
      required: ['code'],
    },
    async run({ code, language = 'python' }, { workspaceId, keyId, messages, signal }) {
      if (typeof code !== 'string' || typeof language !== 'string')
        throw new ToolFailed('invalid_arguments', 'code and language must be strings.');
      const files = conversationFiles(messages);
      const program: ProgramToRun = { workspaceId, keyId, language, code, files, timeoutSeconds: TIMEOUT_SECONDS };
      const outcome = await invokeFunction<Outcome<ProgramResult>>({ id: RUN_PROGRAM }, program, signal);
      if ('refused' in outcome) {
        const { status, message } = outcome.refused;
        throw new ToolFailed(status === 400 ? 'invalid_arguments' : status === 503 ? 'unavailable' : 'failed', message);
      }
      const { stdout, stderr, exitCode, files: left = [] } = outcome.result;
      const listed = left.map(({ path, size, mediaType, url }) => `${path} (${mediaType}, ${size} bytes): ${url}\n`);
      const written = left.map(({ path: name, mediaType, size, url }) => ({ name, mediaType, size, url }));
      return {
        files: written,
        text: `exit code: ${exitCode}\n${section('stdout', stdout)}${section('stderr', stderr)}${section('files', listed.join(''))}`,
      };
    },
  };
}

function section(title: string, text: string): string {
  if (text === '') return '';
  const isCut = text.length > MAX_OUTPUT_LENGTH;
  const half = MAX_OUTPUT_LENGTH / 2;
  const shown = isCut
    ? `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`
    : text;
  return `${title}:\n${shown.toWellFormed()}${shown.endsWith('\n') ? '' : '\n'}`;
}
