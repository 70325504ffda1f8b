import { randomBytes } from 'node:crypto';
import { webModelAddresses } from '../../adapters/web/web-model-addresses.ts';
import type { ManagePorts } from '../../chat/domain/manage-applications.ts';
import { environment } from '../../shared/environment.ts';
import { secretBox } from '../shared/secret-box.ts';
import { changePorts } from './chat.ts';
import { hasWebSearch } from './web-search.ts';

/** For what makes and changes applications with all that they hold. */
export function managePorts(): ManagePorts {
  const { TRIPOD_LOCAL } = environment('TRIPOD_LOCAL');
  return {
    ...changePorts(),
    secrets: secretBox(),
    addresses: webModelAddresses({ allowLoopback: TRIPOD_LOCAL }),
    hasWebSearch,
    bases: { findAll: async (...bases) => (await import('../knowledge/bases.ts')).bases().findAll(...bases) },
    async hasWorkflow(workspaceId, workflowId) {
      const { workflows } = await import('../workflows/workflows.ts');
      return (await workflows().find({ workspaceId, workflowId })) !== null;
    },
    random: randomBytes,
  };
}
