import { expect, it } from 'vitest';
import { problemOf } from '../../helpers/api.ts';
import { jobCall } from '../../helpers/batch.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

it.each(['items=2', 'items=0', 'items=', 'items=true', 'items=1&items=2'])(
  'a poll with %s is 400 invalid_request',
  async (query) => {
    const answer = await jobCall(service, await createWorkspace(), 'job_01JDEXAMPLE000000000000000', `?${query}`);
    expect(answer.status).toBe(400);
    const { code, details } = problemOf(answer);
    expect(code).toBe('invalid_request');
    expect(Object.keys((details as { fields: object }).fields)).toEqual(['items']);
  },
);
