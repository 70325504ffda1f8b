import { parse } from 'yaml';
import type { ExampleService } from './workflow-example.ts';
import { send } from './workflow-file.ts';

interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly cases: readonly {
    readonly name: string;
    readonly passed: boolean;
    readonly run_id: string | null;
    readonly reasons: readonly string[];
    readonly elapsed_ms: number;
  }[];
}

/** Evaluates a workflow with the test set of a file: `workflow` is its id, all else is the body of the request. */
export async function evaluateTests(
  service: ExampleService,
  text: string,
): Promise<{ readonly lines: readonly string[]; readonly failed: number }> {
  const file = parse(text, { maxAliasCount: 50, schema: 'core' }) as { workflow?: unknown } | null;
  const { workflow, ...body } = file ?? {};
  if (typeof workflow !== 'string') throw new Error('The file must name the id of a workflow as `workflow`.');
  const { passed, failed, cases } = await send<Report>(service, 'POST', `/workflows/${workflow}/evaluate`, body);
  const lines = cases.flatMap((each) => [
    `${each.passed ? 'passed' : 'FAILED'}  ${each.name} (${each.elapsed_ms} ms${each.run_id ? `, ${each.run_id}` : ''})`,
    ...each.reasons.map((reason) => `        ${reason}`),
  ]);
  return { lines: [...lines, `${passed} passed, ${failed} failed`], failed };
}
