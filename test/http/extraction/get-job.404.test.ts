import { expect, it } from 'vitest';
import { acceptedJob } from '../../../functions/extraction/job-schemas.ts';
import { problemOf } from '../../helpers/api.ts';
import { batchCall, jobCall } from '../../helpers/batch.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

it.each(['job_01JDEXAMPLE000000000000000', 'x', 'ext_01', 'job%20x', 'a'.repeat(3000)])(
  'a poll of %.40s is 404 not_found',
  async (id) => {
    const answer = await jobCall(service, await createWorkspace(), id);
    expect(answer.status).toBe(404);
    expect(problemOf(answer).code).toBe('not_found');
  },
);

it('the job of another workspace is 404 not_found, as if there were none', async () => {
  const [owner, stranger] = [await createWorkspace(), await createWorkspace()];
  const { json } = await batchCall(service, owner, { images: ['AAAA'] });
  const { jobId } = acceptedJob.parse(json);
  expect((await jobCall(service, owner, jobId)).status).toBe(200);
  for (const query of ['', '?items=1']) {
    const answer = await jobCall(service, stranger, jobId, query);
    expect(answer.status).toBe(404);
    expect(problemOf(answer).code).toBe('not_found');
  }
});
