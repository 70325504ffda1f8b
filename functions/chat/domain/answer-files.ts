/** A file that a program has written for the reader of an answer. */
export interface AnswerFile {
  readonly name: string;
  readonly mediaType: string;
  /** In bytes; null where it is not known. */
  readonly size: number | null;
  /** Valid for an hour. */
  readonly url: string;
}

/** Files of an answer, as soon as they are there. */
export interface FilesPart {
  readonly kind: 'files';
  readonly files: readonly AnswerFile[];
}

/** As clients get it, in chats and in runs of workflows alike. */
export const toFileResponse = ({ name, mediaType, size, url }: AnswerFile) => ({
  name,
  media_type: mediaType,
  size,
  url,
});
