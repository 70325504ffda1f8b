/** Another process has the data directory open. */
export class DataDirectoryInUse extends Error {}
