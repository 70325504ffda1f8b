import type { WorkflowAnswers } from '../../chat/domain/complete-by-workflow.ts';
import { memoize } from '../../shared/memoize.ts';
import { workflowAnswers } from '../../workflows/chat-answers.ts';
import { runPorts, runs, workflows } from './workflows.ts';

/** Published graphs, for the messages of chats. */
export const chatAnswers = memoize(
  (): WorkflowAnswers => workflowAnswers({ ...runPorts(), runs: runs(), workflows: workflows() }),
);
