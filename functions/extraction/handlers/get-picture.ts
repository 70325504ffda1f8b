import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { noPicture, notFound } from '../http-errors.ts';
import { getPictureRoute } from '../picture-routes.ts';
import { extractions, http, pictureLinks } from '../wiring.ts';

const stored = extractions();
const links = pictureLinks();

/** Time enough to load it; the next one is a call away. */
const EXPIRES_IN_SECONDS = 10 * 60;

const endpoint = pipeline(getPictureRoute, http, async ({ principal, params }) => {
  const found = await stored.find(principal.workspaceId, params.id);
  if (found === null) throw notFound('extraction', params.id);
  const key = found.origin?.uploadKey ?? null;
  const link = key === null ? null : await links.pictureLink(key, EXPIRES_IN_SECONDS);
  if (link === null) throw noPicture();
  return { status: 200, body: { ...link, expiresIn: EXPIRES_IN_SECONDS } };
});

export const handler = bufferedHandler(endpoint);
