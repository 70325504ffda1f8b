import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { ageInDays, isStale } from '../domain/master/master-age.ts';
import { getDrugMasterRoute } from '../drug-master-routes.ts';
import { clock, drugMaster, http, ownLists } from '../wiring.ts';

const lists = ownLists();

const endpoint = pipeline(getDrugMasterRoute, http, async ({ principal }) => {
  const [{ info, size }, own] = await Promise.all([drugMaster(), lists.describe(principal.workspaceId)]);
  const now = clock.now();
  return {
    status: 200,
    body: { ...info, rows: size, own, ageDays: ageInDays(info, now), stale: isStale(info, now) },
  };
});

export const handler = bufferedHandler(endpoint);
