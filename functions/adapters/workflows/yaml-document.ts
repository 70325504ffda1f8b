import { parse } from 'yaml';
import type { Json } from '../../workflows/domain/graph/graph.ts';
import { WorkflowRefused } from '../../workflows/domain/workflow-refused.ts';

/** The value that a YAML text describes. @throws WorkflowRefused 'invalid_dsl' */
export function parseYaml(text: string): Json {
  try {
    // Aliases of aliases would make a small text a huge value.
    return parse(text, { maxAliasCount: 50, schema: 'core' }) as Json;
  } catch (error) {
    throw new WorkflowRefused('invalid_dsl', `The text is no YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}
