import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { clock, drugMaster, http, ownLists } from '../../wiring/extraction/extraction.ts';
import { koreanDate } from '../domain/korean-date.ts';
import { searchDrugs } from '../domain/master/listed-drug.ts';
import { ageInDays, isStale } from '../domain/master/master-age.ts';
import { layered } from '../domain/master/own-list.ts';
import { getDrugMasterRoute } from '../drug-master-routes.ts';

const lists = ownLists();

const endpoint = pipeline(getDrugMasterRoute, http, async ({ principal: { workspaceId }, query: { search, date } }) => {
  const [official, info] = await Promise.all([drugMaster(), lists.describe(workspaceId)]);
  const own = search === undefined || info === null ? null : await lists.of(workspaceId);
  const master = own === null ? official : layered(official, own);
  const now = clock.now();
  const drugs = search === undefined ? {} : { drugs: searchDrugs(master, search, date ?? koreanDate(now)) };
  const age = { ageDays: ageInDays(official.info, now), stale: isStale(official.info, now) };
  return { status: 200, body: { ...official.info, rows: official.size, own: info, ...age, ...drugs } };
});

export const handler = bufferedHandler(endpoint);
