import type { ExecutionId } from '../../sandbox/domain/execution.ts';

/** Key of a file of an execution's result. */
export const outputFileKey = ({ workspaceId, executionId }: ExecutionId, index: number): string =>
  `${workspaceId}/${executionId}/files/${index}`;
