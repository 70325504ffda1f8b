/** An image, and the place where the service keeps it. */
export interface FetchedImage {
  readonly bytes: Uint8Array;
  /** Key in the bucket of uploads; null: it is not there. */
  readonly uploadKey: string | null;
}

/** Fetches the image at an `imageUrl` that a client sent: an untrusted address. */
export interface ImageSource {
  /**
   * @param workspaceId whose call this is: its own uploads may be read without asking the web.
   * @throws ImageFetchFailed; ImageRefused('image_too_large') when there is more than an image may have.
   */
  fetch(url: string, workspaceId: string): Promise<FetchedImage>;
}

/** The image could not be fetched. The message is for the client and shows nothing of this network. */
export class ImageFetchFailed extends Error {
  override name = 'ImageFetchFailed';
}
