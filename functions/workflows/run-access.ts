import { answerByWorkflow, askModels } from '../chat/answer-access.ts';
import type { Access } from '../shared/access.ts';

/** The access needed to run nodes, in any function. */
export const runNodes: Access = [...askModels, ...answerByWorkflow];
