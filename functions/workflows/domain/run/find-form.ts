import type { PendingDecision } from '../engine/engine-events.ts';
import { isForm } from '../graph/people.ts';
import { waitingAt } from './decide-run.ts';
import { type FormLink, isProven, parsedFormLink } from './form-links.ts';
import type { RecordedRun } from './run.ts';
import type { Runs } from './run-ports.ts';
import { RunRefused } from './run-refused.ts';

export interface LinkedForm {
  readonly link: FormLink;
  readonly waiting: PendingDecision;
}

/** The form behind a link that was not tampered with, while it can be answered. @throws RunRefused */
export async function findForm(
  text: string,
  { runs, nowMs }: { readonly runs: Pick<Runs, 'read'>; readonly nowMs: number },
): Promise<LinkedForm> {
  const link = parsedFormLink(text);
  const found = link && (await runs.read(link));
  if (!link || !found || !isProven(found.head, link)) throw noSuchForm();
  return { link, waiting: waitingForm(link, found, nowMs) };
}

function waitingForm({ key }: FormLink, found: RecordedRun, nowMs: number): PendingDecision {
  const node = found.graph.nodes.find(({ id }) => id === key.split('/').at(-1));
  return waitingAt({ key, decision: node && !isForm(node) ? 'approved' : 'submitted' }, found, nowMs);
}

function noSuchForm(): RunRefused {
  return new RunRefused('not_found', 'There is no such form. Check the link: it is kept as long as its run.');
}
