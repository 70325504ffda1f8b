import type { Staff } from '../../workflows/domain/notify-issues.ts';
import type { StaffMessage } from '../../workflows/domain/run/notify-people.ts';

/** Channels and members that approvals and forms notify. Loaded with the first that notifies someone. */
export const staff: Staff = {
  async hasChannel(workspaceId, channelId) {
    const { channels } = await import('../channels/channels.ts');
    return (await channels().find(channelId))?.workspaceId === workspaceId;
  },
  async addresses(workspaceId) {
    const { members } = await import('../accounts/auth.ts');
    return (await members().list(workspaceId)).map(({ email }) => email);
  },
};

/** @returns false if the workspace has no such channel, or no more room in it */
export async function writeToStaff(message: StaffMessage): Promise<boolean> {
  const [{ announce }, { LaneFull }, { laterReplyPorts }] = await Promise.all([
    import('../../channels/domain/announce.ts'),
    import('../../channels/domain/delivery/delivery-ports.ts'),
    import('../channels/channels.ts'),
  ]);
  try {
    return await announce(message, laterReplyPorts());
  } catch (error) {
    if (error instanceof LaneFull) return false;
    throw error;
  }
}
