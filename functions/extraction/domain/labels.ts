/** Names that a caller gives to an image, to find it again; they change nothing of its reading. */
export interface Labels {
  readonly fileName?: string | undefined;
  /** An id of the caller's own records. */
  readonly reference?: string | undefined;
}

export const MAX_LABEL_LENGTH = 255;

/** The labels that have a value; undefined where none has. */
export function givenLabels({ fileName, reference }: Labels): Labels | undefined {
  if (fileName === undefined && reference === undefined) return undefined;
  return { ...(fileName !== undefined && { fileName }), ...(reference !== undefined && { reference }) };
}

/** Both labels as responses show them. */
export function shownLabels(labels: Labels | undefined) {
  return { fileName: labels?.fileName ?? null, reference: labels?.reference ?? null };
}
