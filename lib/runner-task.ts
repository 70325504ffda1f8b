/** A runner of Fargate: of one run at its most 2 processors, 2 GB of memory and 1 GB of disk, which is memory too; the runner takes the rest. */
export const RUNNER_TASK = { cpuUnits: 2048, memoryMib: 4096 } as const;
