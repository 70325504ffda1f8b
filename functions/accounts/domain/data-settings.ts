/** A workspace's choice of the data that the service may keep. */
export interface DataSettings {
  /** Days for which results, conversations and runs are kept, 0 to 30. */
  readonly retentionDays: number;
  /** True: images are deleted once they have been read, and conversations keep none. */
  readonly keepNoImages: boolean;
  /** True: the image of a single call that came within the call is kept as an upload is; `keepNoImages` comes before it. */
  readonly keepImages: boolean;
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
  keepImages: false,
  maskResidentNumbers: false,
};

/** Settings of an account, which has only those that were changed. */
export function dataSettingsOf({ data }: { readonly data?: DataSettings }): DataSettings {
  // Records of earlier releases lack some.
  return { ...DEFAULT_DATA_SETTINGS, ...data };
}

/** Retention in days of results that clients fetch: at least one day, so that they can be fetched. */
export function fetchableDays({ retentionDays }: DataSettings): number {
  return Math.max(1, retentionDays);
}

/** True where images are not kept: a workspace that keeps no results keeps no images either. */
export function keepsImages({ retentionDays, keepNoImages }: DataSettings): boolean {
  return retentionDays > 0 && !keepNoImages;
}

/** The store of images removes them after 7 days, at the next midnight. */
const IMAGE_DAYS = 8;

/** True where the image of a call is kept that came within it. Never for longer than its extraction. */
export function keepsInlineImages(settings: DataSettings): boolean {
  return settings.keepImages && keepsImages(settings) && settings.retentionDays >= IMAGE_DAYS;
}
