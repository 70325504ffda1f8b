import { apiHandler } from '../../shared/http/api-handler.ts';
import { sandboxManners } from '../http-manners.ts';
import { listLanguagesRoute } from '../routes.ts';
import { sandboxPool } from '../sandbox-ports.ts';

const pool = sandboxPool();

export const handler = apiHandler(listLanguagesRoute, sandboxManners, async () => {
  return { status: 200, body: { languages: await pool.languages() } };
});
