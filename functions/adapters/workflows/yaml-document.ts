import { type ErrorCode, parseDocument } from 'yaml';
import type { Json } from '../../workflows/domain/graph/graph.ts';
import { WorkflowRefused } from '../../workflows/domain/workflow-refused.ts';

/** Aliases of aliases would make a small text a huge value. */
const MAX_ALIASES = 50;
const TOO_DEEP = 'its values nest too deeply.';
const ADVICE: Partial<Record<ErrorCode, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  MULTIPLE_DOCS: 'it holds several documents. Send one at a time.',
  DUPLICATE_KEY: 'a mapping has a key twice. Remove one of them',
  TAG_RESOLVE_FAILED: 'it has a tag, which begins with "!". Remove it: values are texts, numbers, lists and mappings',
};

/** The value that a YAML text describes. @throws WorkflowRefused 'invalid_dsl' */
export function parseYaml(text: string): Json {
  try {
    const document = parseDocument(text, { schema: 'core', merge: true });
    const [fault] = [...document.errors, ...document.warnings];
    if (!fault) return document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
    const line = fault.linePos?.[0].line;
    const advice = ADVICE[fault.code] ?? fault.message.split('\n')[0];
    throw invalid(advice + (line === undefined || !(fault.code in ADVICE) ? '' : ` (line ${line})`));
  } catch (error) {
    if (error instanceof WorkflowRefused) throw error;
    if (error instanceof RangeError) throw invalid(TOO_DEEP);
    if (/alias/i.test((error as Error).message)) throw invalid('its aliases refer to one another too often.');
    throw invalid((error as Error).message.split('\n')[0] ?? '');
  }
}

function invalid(reason: string): WorkflowRefused {
  return new WorkflowRefused('invalid_dsl', `The text is no YAML that can be imported: ${reason}`);
}
