import type { Verdict } from '../../../shared/leases/lease.ts';
import type { ServiceEvent } from '../../../shared/ports/service-events.ts';
import type { JsonObject } from '../graph/graph.ts';
import { WorkflowRefused } from '../workflow-refused.ts';
import type { TriggerId } from './trigger.ts';
import type { Triggers } from './trigger-ports.ts';
import { queueUnwatched, type TriggeredPorts } from './triggered-run.ts';

/** An event that a trigger waits for, as a message. */
export interface EventMessage extends TriggerId {
  readonly event: ServiceEvent;
}

/** Starts the run of an event, once however often its message comes. */
export async function queueByEvent(
  message: EventMessage,
  ports: TriggeredPorts & { readonly triggers: Pick<Triggers, 'find'> },
): Promise<Verdict> {
  const { id, data } = message.event;
  const trigger = await ports.triggers.find(message);
  if (!trigger?.isEnabled) return 'ack';
  const firing = { key: `event ${trigger.triggerId} ${id}`, values: { event: { id, ...data } as JsonObject } };
  try {
    await queueUnwatched(trigger, firing, ports);
  } catch (error) {
    // The workflow is gone.
    if (!(error instanceof WorkflowRefused)) throw error;
  }
  return 'ack';
}
