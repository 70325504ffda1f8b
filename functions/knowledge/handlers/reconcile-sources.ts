import { reconcileSources } from '../domain/sources/crawl-workspace.ts';
import { reconcilePorts } from '../sources/wiring.ts';

const ports = reconcilePorts();

export const handler = (): Promise<void> => reconcileSources(ports);
