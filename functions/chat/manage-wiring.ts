import { randomBytes } from 'node:crypto';
import { webModelAddresses } from '../adapters/web/web-model-addresses.ts';
import { secretBox } from '../secret-box.ts';
import { environment } from '../shared/environment.ts';
import type { ManagePorts } from './domain/manage-applications.ts';
import { hasWebSearch } from './web-search-wiring.ts';
import { changePorts } from './wiring.ts';

/** For what makes and changes applications with all that they hold. */
export function managePorts(): ManagePorts {
  const { TRIPOD_LOCAL } = environment('TRIPOD_LOCAL');
  return {
    ...changePorts(),
    secrets: secretBox(),
    addresses: webModelAddresses({ allowLoopback: TRIPOD_LOCAL }),
    hasWebSearch,
    bases: { findAll: async (...bases) => (await import('../knowledge/bases/wiring.ts')).bases().findAll(...bases) },
    async hasWorkflow(workspaceId, workflowId) {
      const { workflows } = await import('../workflows/wiring.ts');
      return (await workflows().find({ workspaceId, workflowId })) !== null;
    },
    random: randomBytes,
  };
}
