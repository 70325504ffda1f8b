import { exactJson, UnsafeNumber } from '../graph/exact-json.ts';
import { objectField, textField } from '../graph/fields.ts';
import { isFile, leftFile, toFile } from '../graph/files.ts';
import { isObject, type Json, type JsonObject, typeOf } from '../graph/graph.ts';
import { declaredOutputs } from '../graph/node-fields.ts';
import { nodeSeconds } from '../graph/node-seconds.ts';
import { effectKey, type NodeCall, NodeFailed, type NodeResult } from '../run/node-effects.ts';
import type { EffectPorts, Program, ProgramResult } from './effect-ports.ts';
import { keyIdOf } from './key-id.ts';

const MAX_SHOWN_LENGTH = 500;
const MAX_FILES = 20;
const MAX_FILE_LENGTH = 1_500_000;
const DATA_URL = /^data:[^,]{0,200};base64,([A-Za-z0-9+/]+={0,2})$/;

/** Runs the program of a node: its inputs come as JSON on standard input, and it prints its outputs as a JSON object. */
export async function runCode(
  call: NodeCall,
  signal: AbortSignal,
  { programs }: Pick<EffectPorts, 'programs'>,
): Promise<NodeResult> {
  const { node, config, inputs, run, attempt } = call;
  const result = await programs.run(
    {
      workspaceId: run.workspaceId,
      keyId: keyIdOf(call),
      language: textField(config, 'language'),
      code: textField(config, 'code'),
      stdin: JSON.stringify(inputs),
      files: filesOf(inputs),
      timeoutSeconds: nodeSeconds(node),
      // Another attempt is meant to run it again; the same attempt after a crash is not.
      onceKey: `${effectKey(call)}:${attempt}`,
      hidden: call.hidden ?? [],
    },
    signal,
  );
  const cost = { sandboxSeconds: result.seconds };
  try {
    const outputs = outputsOf(node.title || node.id, result, declaredOutputs(node));
    requireEntries(node.title || node.id, outputs, objectField(config, 'entry_types'));
    return { outputs, cost };
  } catch (error) {
    if (!(error instanceof NodeFailed)) throw error;
    const { code, message } = error.failure;
    throw new NodeFailed(code, message, { isPassing: error.isPassing, cost });
  }
}

/** Inputs that are files with a data: URL, such URLs, or lists of them, are in `inputs/` by their names too, as far as the event that carries them allows. */
function filesOf(inputs: JsonObject): Program['files'] {
  const files = Object.entries(inputs).flatMap(([name, value]) => {
    if (!/^[\w-]{1,80}$/.test(name)) return [];
    if (!Array.isArray(value)) return fileOf(`inputs/${name}`, value);
    return value.flatMap((each, index) => fileOf(`inputs/${name}-${index + 1}`, each));
  });
  const length = files.reduce((sum, { base64 }) => sum + base64.length, 0);
  return length > MAX_FILE_LENGTH || files.length > MAX_FILES ? [] : files;
}

function fileOf(path: string, given: Json): Program['files'] {
  const value = isFile(given) ? given.url : given;
  if (typeof value !== 'string' || value.length > MAX_FILE_LENGTH) return [];
  const base64 = DATA_URL.exec(value)?.[1];
  return base64 === undefined ? [] : [{ path, base64 }];
}

/** The output `files`, where the program has left some. */
function leftFiles(files: ProgramResult['files'] = []): JsonObject {
  return files.length === 0 ? {} : { files: files.map(({ path: name, ...file }) => leftFile({ name, ...file })) };
}

/** @throws NodeFailed */
function outputsOf(
  title: string,
  { stdout, stderr, exitCode, files }: ProgramResult,
  declared: Readonly<Record<string, string>>,
): JsonObject {
  if (exitCode !== 0) {
    const isTimeout = exitCode === -1 && stderr.includes('timed out');
    const said = shown(stderr.trim().slice(-MAX_SHOWN_LENGTH) || stdout.slice(-MAX_SHOWN_LENGTH));
    throw new NodeFailed(
      isTimeout ? 'timeout' : 'code_failed',
      `The program of ${title} ended with ${exitCode}: ${said}`,
      // A program that failed fails again; the reason of a time-out may be a busy machine.
      { isPassing: exitCode === -1 },
    );
  }
  const printed = parsed(title, stdout);
  if (!isObject(printed))
    throw new NodeFailed(
      'invalid_output',
      `The program of ${title} must print one JSON object and nothing else. It printed ${stdout.length} characters: ${shown(stdout.slice(0, MAX_SHOWN_LENGTH))}`,
    );
  const outputs = { ...leftFiles(files), ...printed };
  for (const [name, type] of Object.entries(declared)) {
    const value = outputs[name];
    const isRight =
      value !== undefined &&
      (type === 'any' || value === null || typeOf(value) === type || (type === 'file' && toFile(value) !== null));
    if (!isRight)
      throw new NodeFailed(
        'invalid_output',
        `The program of ${title} must print ${name} as a ${type}, as config.outputs says. It printed ${value === undefined ? 'none' : `a ${typeOf(value)}`}.`,
      );
  }
  return outputs;
}

/** @throws NodeFailed for an entry of a list that has another type than declared */
function requireEntries(title: string, outputs: JsonObject, declared: JsonObject): void {
  for (const [name, type] of Object.entries(declared)) {
    const entries = outputs[name];
    if (!Array.isArray(entries) || type === 'any') continue;
    const index = entries.findIndex((each) => each !== null && typeOf(each as Json) !== type);
    if (index >= 0)
      throw new NodeFailed(
        'invalid_output',
        `The program of ${title} must print ${type} entries in ${name}, as config.entry_types says. Entry ${index} is a ${typeOf(entries[index] as Json)}.`,
      );
  }
}

/** @throws NodeFailed for a number that would become another one */
function parsed(title: string, text: string): Json | undefined {
  try {
    return exactJson(text);
  } catch (error) {
    if (!(error instanceof UnsafeNumber)) return undefined;
    throw new NodeFailed(
      'unsafe_number',
      `The program of ${title} printed ${error.member} as ${error.digits}: JSON numbers above 2^53 are not exact. Print it as a text.`,
    );
  }
}

function shown(text: string): string {
  return text.toWellFormed() || '(nothing)';
}
