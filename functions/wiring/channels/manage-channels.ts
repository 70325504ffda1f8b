import { systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { webModelAddresses } from '../../adapters/web/web-model-addresses.ts';
import type { ManagePorts } from '../../channels/domain/manage-channels.ts';
import { environment } from '../../shared/environment.ts';
import { applications } from '../chat/chat.ts';
import { secretBox } from '../shared/secret-box.ts';
import { channels } from './channels.ts';

/** For what makes and changes channels. */
export function managePorts(): ManagePorts {
  const addresses = webModelAddresses({ allowLoopback: environment('TRIPOD_LOCAL').TRIPOD_LOCAL });
  const stored = applications();
  return {
    channels: channels(),
    applications: {
      exists: async (workspaceId, applicationId) => (await stored.find({ workspaceId, applicationId })) !== null,
    },
    secrets: secretBox(),
    addresses: {
      // A receiver of webhooks may tell its senders apart by a query; the base of an API cannot have one.
      refusalOf: (name, address) => addresses.refusalOf(name === 'url' ? withoutQuery(address) : address),
    },
    ids: ulidIds,
    clock: systemClock,
  };
}

function withoutQuery(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  url.search = '';
  return url.href;
}
