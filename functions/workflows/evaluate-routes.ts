import * as z from 'zod';
import { envelopeOf } from '../shared/http/envelope.ts';
import { managed } from '../shared/http/managed-route.ts';
import { EVENT_BODY_LIMIT, type Route } from '../shared/http/route.ts';
import { runUsage } from '../shared/stream-events.ts';
import { MAX_CASES, MAX_CHECKS } from './domain/evaluate/test-case.ts';
import { runNodes } from './run-access.ts';
import { runsLimit } from './run-routes.ts';
import { workflowParams } from './schemas.ts';

const values = z.record(z.string(), z.unknown());
const of = z
  .string()
  .max(300)
  .regex(/^(answer|outputs(\.[^.]+)*)$/, 'must be answer, outputs, or outputs with a path such as outputs.total')
  .default('answer');
const check = z.union([
  z.strictObject({ of, equals: z.unknown().refine((value) => value !== undefined, 'is needed') }),
  z.strictObject({ of, contains: z.union([z.string(), z.array(z.string()).min(1).max(50)]) }),
  z.strictObject({ of, schema: values.describe('A JSON schema, without patterns and references') }),
  z.strictObject({ of, judgement: z.string().min(1).max(5_000).describe('Criteria that a model judges by') }),
]);

export const evaluateBody = z.strictObject({
  version: z
    .union([z.enum(['published', 'draft']), z.int().min(1)])
    .default('draft')
    .describe('Which graph is evaluated'),
  application_id: z.uuid().optional().describe('The application whose model judges'),
  cases: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(200),
        inputs: values.default({}),
        query: z.string().max(100_000).default(''),
        files: z.array(z.string().max(8_192)).max(20).default([]),
        pinned: z.record(z.string(), values).default({}).describe('As of a run'),
        status: z.enum(['succeeded', 'failed']).default('succeeded').describe('The expected end of the run'),
        expected: z.array(check).max(MAX_CHECKS).default([]),
      }),
    )
    .min(1)
    .max(MAX_CASES),
});

export const evaluationReport = z
  .object({
    passed: z.int(),
    failed: z.int(),
    cases: z.array(
      z.object({
        name: z.string(),
        passed: z.boolean(),
        run_id: z.string().nullable().describe('Null where no run started'),
        status: z.enum(['succeeded', 'failed', 'cancelled', 'waiting', 'running', 'not_run']),
        answer: z.string(),
        reasons: z.array(z.string()).describe('Why the case has not passed'),
        elapsed_ms: z.int(),
      }),
    ),
    usage: runUsage.describe('Of all runs, judgements included'),
  })
  .meta({ id: 'WorkflowEvaluation' });

export const evaluateWorkflowRoute = {
  ...managed,
  id: 'workflows.evaluate-workflow',
  method: 'POST',
  path: '/api/v1/workflows/{id}/evaluate',
  role: 'admin',
  doc: {
    summary: 'Evaluate a workflow with a test set',
    description:
      'Each case is a run, which is listed with the trigger evaluation. Expectations compare the answer or an output by equality, ' +
      'contained texts, a JSON schema, or the judgement of a model.',
  },
  params: workflowParams,
  body: evaluateBody,
  bodyLimit: EVENT_BODY_LIMIT,
  rateLimits: [
    { limit: runsLimit, per: 'caller', cost: (body) => (body as z.output<typeof evaluateBody>).cases.length },
  ],
  responses: {
    200: { description: 'The report', schema: envelopeOf(evaluationReport) },
    404: { description: 'not_found, version_not_found' },
    409: { description: 'not_published: the workflow has no published version' },
    422: {
      description: 'invalid_graph: the draft has errors; invalid_schema: the message names the case and the fault',
    },
  },
  limits: { timeoutSeconds: 290, memoryMb: 512 },
  access: runNodes,
} as const satisfies Route;

export const evaluateRoutes: readonly Route[] = [evaluateWorkflowRoute];
