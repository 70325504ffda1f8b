import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, sandboxPool } from '../../wiring/sandbox/sandbox.ts';
import { listLanguagesRoute } from '../routes.ts';

const pool = sandboxPool();

const endpoint = pipeline(listLanguagesRoute, http, async () => {
  return { status: 200, body: { languages: await pool.languages() } };
});

export const handler = bufferedHandler(endpoint);
