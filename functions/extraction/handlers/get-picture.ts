import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import {
  drawnPage,
  extractions,
  http,
  pictureLinks,
  thumbnailOf,
  uploadsBucket,
} from '../../wiring/extraction/extraction.ts';
import { noPicture, notFound } from '../http-errors.ts';
import { getPictureRoute } from '../picture-routes.ts';
import { THUMBNAIL_SIDE } from '../schemas.ts';

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
  const { page = 1 } = found.page.meta;
  const caller = { tenant: principal.workspaceId };
  if (query.thumbnail !== undefined) {
    const { rotation, mirrored } = found.page.geometry;
    const thumbnail = { side: THUMBNAIL_SIDE, rotation, mirrored: mirrored === true };
    return drawnReply(await thumbnailOf(await images.get(key!), page, thumbnail, caller));
  }
  if (query.drawn === undefined || !DRAWN.includes(link.contentType))
    return { status: 200, body: { ...link, expiresIn: EXPIRES_IN_SECONDS } };
  return drawnReply(await drawnPage(await images.get(key!), page, caller));
});

function drawnReply(jpeg: Uint8Array) {
  const url = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;
  return { status: 200 as const, body: { url, contentType: 'image/jpeg', expiresIn: EXPIRES_IN_SECONDS } };
}

export const handler = bufferedHandler(endpoint);
