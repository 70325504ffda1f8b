import * as z from 'zod';
import type { Messages } from '../shared/leases/process-batch.ts';
import { type LaneMessage, PRIORITIES } from './domain/delivery/messages.ts';

const lane = { workspaceId: z.string(), channelId: z.string(), conversation: z.string(), atMs: z.number().optional() };

const inbound = z.object({ ...lane, direction: z.literal('inbound'), priority: z.null() });
const priority = z.enum(PRIORITIES);
const outbound = z.object({ ...lane, direction: z.literal('outbound'), priority, queue: priority.optional() });

/** Failures of a worker itself; failures of platforms and applications have other schedules. */
const retries = { firstMs: 5_000, factor: 2, maxMs: 120_000, jitter: 0.2 } as const;

export const inboundMessages: Messages<LaneMessage & { direction: 'inbound'; priority: null }> = {
  schema: inbound,
  retries,
};
export const outboundMessages: Messages<z.output<typeof outbound>> = {
  schema: outbound,
  retries,
  isParallel: true,
};
export const laneMessages: Messages<LaneMessage> = { schema: z.union([inbound, outbound]), retries };
