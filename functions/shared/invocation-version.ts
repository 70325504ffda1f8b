import { traceparent } from './tracing/spans.ts';

/**
 * Version of the events and results that functions of the deployment exchange. Services are deployed one after another, so that for some
 * minutes an old caller meets a new function, or a new one an old function. Raise it with a change that the other side would misread,
 * and `OLDEST` once no release is left that sends the old form.
 */
export const INVOCATION_VERSION = 1;
/** Oldest version that functions understand. Callers from before versions existed sent the form of version 1, without a number. */
export const OLDEST_INVOCATION_VERSION = 1;

/** Facts about an invocation in its event, under a name that older functions ignore. */
interface Marked {
  readonly invocation?: { readonly version: number; readonly traceparent?: string };
}

/** The trace that a call belongs to. */
export function traceparentOf(marked: object): string | undefined {
  return (marked as Marked).invocation?.traceparent;
}

export class VersionMismatch extends Error {
  override name = 'VersionMismatch';
}

/** The event as a caller of this release sends it. */
export function markedEvent(event: object): object {
  const parent = traceparent();
  const invocation = { version: INVOCATION_VERSION, ...(parent !== undefined && { traceparent: parent }) };
  return { ...event, invocation } satisfies Marked;
}

/** The event of a caller without its mark. @throws VersionMismatch where it is of another version than this release understands. */
export function unmarkedEvent<Event>(marked: Event): Event {
  const { invocation, ...event } = marked as Event & Marked;
  const version = invocation?.version ?? OLDEST_INVOCATION_VERSION;
  if (version >= OLDEST_INVOCATION_VERSION && version <= INVOCATION_VERSION) return event as Event;
  const isNewer = version > INVOCATION_VERSION;
  throw new VersionMismatch(
    `The call is of version ${version}, and this function understands ${OLDEST_INVOCATION_VERSION} to ${INVOCATION_VERSION}: ` +
      `deploy ${isNewer ? 'the called' : 'the calling'} service again, or wait until its deployment ends.`,
  );
}
