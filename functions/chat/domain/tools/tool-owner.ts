import type { Application } from '../application.ts';

/** The parts of an application that its tools need. */
export type ToolOwner = Pick<Application, 'workspaceId' | 'applicationId' | 'version' | 'config'>;
