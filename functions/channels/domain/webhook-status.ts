import { CHANNEL_TYPES, type Channel, type ChannelType } from './channel.ts';
import type { ChannelStatuses, Channels, QueueDepth } from './channel-ports.ts';
import { type Breaker, type CircuitState, circuitOf, closedBreaker } from './delivery/breaker.ts';

export interface CircuitStatus {
  readonly circuit: string;
  readonly state: CircuitState;
  readonly consecutiveErrors: number;
  readonly openedAtMs: number | null;
  readonly lastError: Breaker['lastError'];
}

export interface PlatformStatus {
  readonly type: ChannelType;
  readonly channels: number;
  /** Those whose credentials the platform refuses. */
  readonly broken: readonly Channel[];
  readonly depth: QueueDepth;
  /** One for the platform's own API, and one for each other address that the channels name. */
  readonly circuits: readonly CircuitStatus[];
}

const MAX_CHANNELS = 500;
const EMPTY: QueueDepth = { inbound: 0, high: 0, normal: 0, low: 0 };

/** Queue depths of a workspace's channels, and the circuit state of their platforms. */
export async function webhookStatus(
  workspaceId: string,
  { channels, statuses }: { readonly channels: Pick<Channels, 'list'>; readonly statuses: ChannelStatuses },
): Promise<readonly PlatformStatus[]> {
  const owned = await channels.list(workspaceId, MAX_CHANNELS, null);
  const circuits = [...new Set(owned.map(circuitOf))];
  const [breakers, depths] = await Promise.all([
    statuses.breakers(circuits),
    Promise.all(owned.map(async (channel) => [channel, await statuses.depth(channel.channelId)] as const)),
  ]);
  return CHANNEL_TYPES.map((type) => {
    const ofType = depths.filter(([channel]) => channel.type === type);
    return {
      type,
      channels: ofType.length,
      broken: ofType.flatMap(([channel]) => (channel.problem === null ? [] : [channel])),
      depth: ofType.reduce((sum, [, depth]) => added(sum, depth), EMPTY),
      circuits: circuitsOf(ofType.map(([channel]) => channel)).map((circuit) =>
        toStatus(breakers.find((breaker) => breaker.circuit === circuit) ?? closedBreaker(circuit)),
      ),
    };
  });
}

function circuitsOf(channels: readonly Channel[]): string[] {
  return [...new Set(channels.map(circuitOf))].sort();
}

function toStatus({ circuit, state, errors, openedAtMs, lastError }: Breaker): CircuitStatus {
  return { circuit, state, consecutiveErrors: errors.length, openedAtMs, lastError };
}

function added(a: QueueDepth, b: QueueDepth): QueueDepth {
  return { inbound: a.inbound + b.inbound, high: a.high + b.high, normal: a.normal + b.normal, low: a.low + b.low };
}
