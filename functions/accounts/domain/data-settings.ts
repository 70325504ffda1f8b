import type { Account } from './account.ts';

/** What a workspace lets the service keep of the data that it sends. */
export interface DataSettings {
  /** Days for which results, conversations and runs are kept, 0 to 30. */
  readonly retentionDays: number;
  /** True: images are deleted once they have been read, and conversations keep none. */
  readonly keepNoImages: boolean;
  /** True: resident registration numbers are masked in texts of conversations and knowledge bases before these are stored. */
  readonly maskResidentNumbers: boolean;
}

export interface DataSettingsStore {
  dataSettings(workspaceId: string): Promise<DataSettings>;
}

export const MAX_RETENTION_DAYS = 30;

export const DEFAULT_DATA_SETTINGS: DataSettings = {
  retentionDays: MAX_RETENTION_DAYS,
  keepNoImages: false,
  maskResidentNumbers: false,
};

export function dataSettingsOf({ data }: Pick<Account, 'data'>): DataSettings {
  return data ?? DEFAULT_DATA_SETTINGS;
}

/** Retention in days of results that clients fetch: at least one day, so that they can be fetched. */
export function fetchableDays({ retentionDays }: DataSettings): number {
  return Math.max(1, retentionDays);
}

/** True where images are not kept: a workspace that keeps no results keeps no images either. */
export function keepsImages({ retentionDays, keepNoImages }: DataSettings): boolean {
  return retentionDays > 0 && !keepNoImages;
}
