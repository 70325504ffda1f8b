import type * as z from 'zod';
import type { SchemaChecks } from './domain/evaluate/check-value.ts';
import type { EvaluationReport } from './domain/evaluate/evaluate-workflow.ts';
import type { Check, TestCase } from './domain/evaluate/test-case.ts';
import type { Json, JsonObject } from './domain/graph/graph.ts';
import { RunRefused } from './domain/run/run-refused.ts';
import type { evaluateBody, evaluationReport } from './evaluate-routes.ts';
import { toUsage } from './responses.ts';

type CaseBody = z.output<typeof evaluateBody>['cases'][number];

/** @throws RunRefused 'invalid_schema' */
export function toTestCases(cases: readonly CaseBody[], schemas: SchemaChecks): readonly TestCase[] {
  return cases.map(({ name, inputs, query, files, pinned, status, expected }) => {
    const checks = expected.map(toCheck);
    for (const check of checks) if (check.kind === 'schema') requireUsable(name, check.schema, schemas);
    return {
      ...{ name, inputs: inputs as JsonObject, query, files, status, checks },
      pinned: pinned as Record<string, JsonObject>,
    };
  });
}

function toCheck(body: CaseBody['expected'][number]): Check {
  const { of } = body;
  if ('contains' in body) return { of, kind: 'contains', texts: [body.contains].flat() };
  if ('schema' in body) return { of, kind: 'schema', schema: body.schema as JsonObject };
  if ('judgement' in body) return { of, kind: 'judgement', criteria: body.judgement };
  return { of, kind: 'equals', value: body.equals as Json };
}

function requireUsable(name: string, schema: JsonObject, schemas: SchemaChecks): void {
  try {
    schemas.faultOf(schema, null);
  } catch (error) {
    const { message } = error as Error;
    throw new RunRefused(
      'invalid_schema',
      `The schema of the case ${JSON.stringify(name)} cannot be used: ${message}.`,
    );
  }
}

export function toReportResponse({ cases, cost }: EvaluationReport): z.output<typeof evaluationReport> {
  const passed = cases.filter(({ hasPassed }) => hasPassed).length;
  return {
    ...{ passed, failed: cases.length - passed },
    cases: cases.map(({ name, hasPassed, runId, status, answer, reasons, elapsedMs }) => ({
      ...{ name, passed: hasPassed, run_id: runId, status: status as 'succeeded', answer },
      ...{ reasons: [...reasons], elapsed_ms: elapsedMs },
    })),
    usage: toUsage(cost),
  };
}
