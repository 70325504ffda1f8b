import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { noPicture, notFound } from '../http-errors.ts';
import { getPictureRoute } from '../picture-routes.ts';
import { drawnPage, extractions, http, pictureLinks, uploadsBucket } from '../wiring.ts';

const stored = extractions();
const links = pictureLinks();
const images = uploadsBucket();

/** Time enough to load it; the next one is a call away. */
const EXPIRES_IN_SECONDS = 10 * 60;

/** Browsers show no single page of these types. */
const DRAWN = ['application/pdf', 'image/tiff'];

const endpoint = pipeline(getPictureRoute, http, async ({ principal, params, query }) => {
  const found = await stored.find(principal.workspaceId, params.id);
  if (found === null) throw notFound('extraction', params.id);
  const key = found.origin?.uploadKey ?? null;
  const link = key === null ? null : await links.pictureLink(key, EXPIRES_IN_SECONDS);
  if (link === null) throw noPicture();
  if (query.drawn === undefined || !DRAWN.includes(link.contentType))
    return { status: 200, body: { ...link, expiresIn: EXPIRES_IN_SECONDS } };
  const { page = 1 } = found.page.meta;
  const jpeg = await drawnPage(await images.get(key!), page, { tenant: principal.workspaceId });
  const url = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;
  return { status: 200, body: { url, contentType: 'image/jpeg', expiresIn: EXPIRES_IN_SECONDS } };
});

export const handler = bufferedHandler(endpoint);
