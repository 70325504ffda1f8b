import type { DataSettings } from './data-settings.ts';

/** Data that is to be erased across all stores: a deleted workspace, or what a shorter retention no longer allows. */
export interface ErasureOrder {
  readonly kind: 'workspace' | 'retention';
  readonly workspaceId: string;
  readonly dueAtMs: number;
  /** Of a retention: results, conversations and runs that are older are erased. */
  readonly retentionDays: number;
}

export function workspaceOrder(workspaceId: string, dueAtMs: number): ErasureOrder {
  return { kind: 'workspace', workspaceId, dueAtMs, retentionDays: 0 };
}

export function retentionOrder(workspaceId: string, { retentionDays }: DataSettings, nowMs: number): ErasureOrder {
  return { kind: 'retention', workspaceId, dueAtMs: nowMs, retentionDays };
}
