import { reconcilePorts } from '../../wiring/knowledge/sources.ts';
import { reconcileSources } from '../domain/sources/crawl-workspace.ts';

const ports = reconcilePorts();

export const handler = (): Promise<void> => reconcileSources(ports);
