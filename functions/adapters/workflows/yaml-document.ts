import type { Json } from '../../workflows/domain/graph/graph.ts';
import { WorkflowRefused } from '../../workflows/domain/workflow-refused.ts';

/** The value that a YAML text describes. The parser is loaded with the first one. @throws WorkflowRefused 'invalid_dsl' */
export async function parseYaml(text: string): Promise<Json> {
  const { parse } = await import('yaml');
  try {
    // Aliases of aliases would make a small text a huge value.
    return parse(text, { maxAliasCount: 50, schema: 'core' }) as Json;
  } catch (error) {
    throw new WorkflowRefused('invalid_dsl', `dsl is no YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}
