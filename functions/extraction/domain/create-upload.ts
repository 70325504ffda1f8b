import type { Ids } from '../../shared/ports/ids.ts';
import { ExtractRefused } from './extract-refused.ts';
import { MAX_IMAGE_BYTES } from './inline-image.ts';
import { ImageRefused } from './reading/image-refused.ts';
import { uploadKey } from './uploads.ts';

export interface UploadPorts {
  readonly links: UploadLinks;
  readonly ids: Ids;
  /** True where an upload must say how long it is. */
  readonly requiresLength: boolean;
}

/** Presigned addresses: each allows one operation on one object of the bucket, for a while. */
export interface UploadLinks {
  /**
   * @param contentType the only one that the PUT may have.
   * @param contentLength the only one that it may have; undefined: any.
   * @param expiresIn seconds.
   */
  putLink(key: string, contentType: string, contentLength: number | undefined, expiresIn: number): Promise<string>;
  getLink(key: string, expiresIn: number): Promise<string>;
}

export interface UploadRequest {
  readonly workspaceId: string;
  readonly contentType: string;
  /** Bytes. */
  readonly contentLength?: number | undefined;
}

export interface Upload {
  readonly uploadUrl: string;
  readonly imageUrl: string;
  /** Seconds for which uploadUrl is valid. */
  readonly expiresIn: number;
}

/** Content types that an upload may be declared as; the content decides when it is read. */
export const UPLOAD_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/tiff',
  'image/bmp',
  'application/pdf',
];

const PUT_SECONDS = 15 * 60;
const GET_SECONDS = 24 * 60 * 60;

/**
 * Makes the addresses for an image that is too large to be sent inline. The PUT is bound to the content type, and to the
 * length where the client declares it: S3 can bind a PUT to one length, not to a range. Size and content of the object are
 * checked again before it is read. One without a length could be of gigabytes at the operator's expense: hosted deployments
 * refuse it.
 * @throws ImageRefused 'unsupported_media_type', 'image_too_large'; ExtractRefused 'invalid_request'
 */
export async function createUpload(
  { workspaceId, contentType, contentLength }: UploadRequest,
  { links, ids, requiresLength }: UploadPorts,
): Promise<Upload> {
  if (!UPLOAD_TYPES.includes(contentType.toLowerCase()))
    throw new ImageRefused(
      'unsupported_media_type',
      `contentType is ${JSON.stringify(contentType)}; it must be one of ${UPLOAD_TYPES.join(', ')}.`,
    );
  if (contentLength === undefined && requiresLength)
    throw new ExtractRefused(
      'invalid_request',
      'contentLength: send the bytes of the image; this deployment requires it.',
      {
        fields: { contentLength: 'required by this deployment' },
      },
    );
  if (contentLength !== undefined && contentLength > MAX_IMAGE_BYTES)
    throw new ImageRefused(
      'image_too_large',
      `contentLength is ${contentLength}; an image may have ${MAX_IMAGE_BYTES} bytes (18 MB). Scale it down or save it as JPEG.`,
    );
  const key = uploadKey(workspaceId, ids.next('upl'));
  const [uploadUrl, imageUrl] = await Promise.all([
    // As the client wrote it, since it will send the same header.
    links.putLink(key, contentType, contentLength, PUT_SECONDS),
    links.getLink(key, GET_SECONDS),
  ]);
  return { uploadUrl, imageUrl, expiresIn: PUT_SECONDS };
}
