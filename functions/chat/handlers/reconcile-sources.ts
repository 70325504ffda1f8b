import { reconcileSources } from '../domain/knowledge/sources/crawl-workspace.ts';
import { reconcilePorts } from '../knowledge-sources/wiring.ts';

const ports = reconcilePorts();

export const handler = (): Promise<void> => reconcileSources(ports);
