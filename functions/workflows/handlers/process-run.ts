import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { writeToStaff } from '../../wiring/workflows/staff.ts';
import {
  clock,
  ids,
  notifyingLeases,
  onFault,
  runPorts,
  runQueue,
  runs,
  serviceUrl,
  triggeredPorts,
  triggers,
} from '../../wiring/workflows/workflows.ts';
import type { PendingDecision } from '../domain/engine/engine-events.ts';
import { sayLater } from '../domain/run/later-answers.ts';
import { notifyPeople } from '../domain/run/notify-people.ts';
import { processRun } from '../domain/run/process-run.ts';
import type { RunHead, RunId } from '../domain/run/run.ts';
import { queueByEvent } from '../domain/triggers/queue-by-event.ts';
import { runMessages } from '../run-messages.ts';

const ports = {
  ...runPorts(),
  leases: notifyingLeases(),
  notify: (...waiting: [RunHead, PendingDecision]) =>
    notifyPeople(...waiting, {
      ...{ serviceUrl: serviceUrl(), ids, clock, onFault },
      write: writeToStaff,
    }),
  // Loaded with the first answer that comes later.
  later: (id: RunId) =>
    sayLater(id, {
      runs: runs(),
      say: async (...answer) => (await import('../../wiring/workflows/later-answers.ts')).sayInConversation(...answer),
    }),
};
const told = { ...triggeredPorts(), triggers: triggers() };
const queue = runQueue();

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(
    event,
    runMessages,
    (message) =>
      'event' in message
        ? queueByEvent(message, told)
        : processRun(message, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
    queue,
  );
