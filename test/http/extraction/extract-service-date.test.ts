import { beforeAll, describe, expect, it } from 'vitest';
import type { ExtractionResult } from '../../../functions/extraction/domain/extraction.ts';
import { acceptedJob } from '../../../functions/extraction/job-schemas.ts';
import { extractCall } from '../../helpers/api.ts';
import { batchCall, finishedJob } from '../../helpers/batch.ts';
import { shortPage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let image: string;

beforeAll(async () => {
  image = (await shortPage()).toString('base64');
});

/** Before any price of the list was in force. */
const LONG_AGO = '1999-01-01';

describe('serviceDate', () => {
  it('of a call decides which prices are current, and meta says where the date comes from', async () => {
    const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 0 });
    const judged = async (body: object) =>
      (await extractCall(service, workspace, { image, ...body })).json as ExtractionResult;
    const today = await judged({});
    expect(today.meta.serviceDate?.source).toBe('today');
    expect(today.items.map(({ priceCheck }) => priceCheck)).toEqual(['current', 'current', 'current']);
    const old = await judged({ serviceDate: LONG_AGO });
    expect(old.meta.serviceDate).toEqual({ date: LONG_AGO, source: 'request' });
    expect(old.items.map(({ priceCheck }) => priceCheck)).not.toContain('current');
  });

  it('of a batch holds for each of its images', async () => {
    const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 0 });
    const { json } = await batchCall(service, workspace, { images: [image, image], serviceDate: LONG_AGO });
    const { images } = await finishedJob(service, workspace, acceptedJob.parse(json).jobId, '?items=1');
    const checks = images.flatMap(({ items = [] }) => items.map(({ priceCheck }) => priceCheck));
    expect(checks).toHaveLength(6);
    expect(checks).not.toContain('current');
  });
});
