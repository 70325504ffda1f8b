import { type DataSettings, keepsInlineImages } from './data-settings.ts';

/** Data that is to be erased across all stores: a deleted workspace, or what a shorter retention no longer allows. */
export interface ErasureOrder {
  readonly kind: 'workspace' | 'retention';
  readonly workspaceId: string;
  readonly dueAtMs: number;
  /** Of a retention: results, conversations and runs that are older are erased. */
  readonly retentionDays: number;
  /** Of a retention: images are erased that came within calls and were kept. Absent of orders of earlier releases. */
  readonly inlineImages?: boolean;
}

export function workspaceOrder(workspaceId: string, dueAtMs: number): ErasureOrder {
  return { kind: 'workspace', workspaceId, dueAtMs, retentionDays: 0 };
}

export function retentionOrder(workspaceId: string, settings: DataSettings, nowMs: number): ErasureOrder {
  const { retentionDays } = settings;
  const inlineImages = !keepsInlineImages(settings);
  return { kind: 'retention', workspaceId, dueAtMs: nowMs, retentionDays, inlineImages };
}
