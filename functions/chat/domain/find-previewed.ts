import { type Application, type ApplicationId, DEFAULT_CONFIG, DEFAULT_MODEL } from './application.ts';
import type { Applications } from './application-ports.ts';
import { ApplicationRefused } from './application-refused.ts';

export interface PreviewPorts {
  readonly applications: Pick<Applications, 'find'>;
  /** A workflow of the workspace; null when there is none. Asked for where there is no application. */
  readonly findWorkflow: (
    workspaceId: string,
    workflowId: string,
  ) => Promise<{ readonly name: string; readonly createdAt: string } | null>;
}

/**
 * Finds the target that a preview's request names as its model: an application or, without one, a workflow, which then answers like an
 * application without an id.
 * @throws ApplicationRefused
 */
export async function findPreviewed(id: ApplicationId, ports: PreviewPorts): Promise<Application> {
  const application = await ports.applications.find(id);
  if (application !== null) return application;
  const { workspaceId, applicationId: workflowId } = id;
  const workflow = await ports.findWorkflow(workspaceId, workflowId);
  if (workflow === null)
    throw new ApplicationRefused(
      'not_found',
      'model: there is no application and no workflow with this id in your workspace.',
    );
  const { name, createdAt } = workflow;
  return {
    workspaceId,
    applicationId: '',
    name,
    type: 'workflow',
    description: '',
    config: { ...DEFAULT_CONFIG, model: { ...DEFAULT_MODEL, name: workflowId }, workflowId },
    version: 0,
    createdAt,
    updatedAt: createdAt,
  };
}
