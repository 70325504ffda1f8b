import type { NodeType } from '../../../functions/workflows/domain/graph/graph.ts';
import { flowTexts } from './flow-texts.ts';
import { modelTexts } from './model-texts.ts';
import type { NodeTexts } from './texts.ts';
import { workTexts } from './work-texts.ts';

export const NODE_TEXTS: Readonly<Record<NodeType, NodeTexts>> = { ...flowTexts, ...modelTexts, ...workTexts };
