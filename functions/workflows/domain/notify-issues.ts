import { normalEmail } from '../../accounts/domain/user.ts';
import type { Graph } from './graph/graph.ts';
import { type GraphIssue, ofNode, withTitles } from './graph/graph-issue.ts';
import { said } from './graph/issue-texts.ts';
import { notifiedBy, waitsForPeople } from './graph/people.ts';

/** The people of a workspace, and its channels. */
export interface Staff {
  hasChannel(workspaceId: string, channelId: string): Promise<boolean>;
  /** Addresses of the members, in their normal form. */
  addresses(workspaceId: string): Promise<readonly string[]>;
}

/** Channels and addresses that approvals and forms name, and the workspace does not have. */
export async function notifyIssues(graph: Graph, workspaceId: string, staff: Staff): Promise<readonly GraphIssue[]> {
  const named = graph.nodes.filter(waitsForPeople).flatMap((node) => {
    const notified = notifiedBy(node);
    return notified ? [{ id: node.id, ...notified }] : [];
  });
  if (named.length === 0) return [];
  const channelIds = [...new Set(named.flatMap(({ channel }) => channel?.channelId ?? []))];
  const hasEmails = named.some(({ emails }) => emails.length > 0);
  const [known, members] = await Promise.all([
    Promise.all(channelIds.map(async (id) => ((await staff.hasChannel(workspaceId, id)) ? id : null))),
    hasEmails ? staff.addresses(workspaceId) : Promise.resolve<readonly string[]>([]),
  ]);
  const issues = named.flatMap(({ id, channel, emails }) => [
    ...(channel === null || known.includes(channel.channelId)
      ? []
      : [ofNode(id, 'config.notify.channel_id', said('channel_unknown', { channel: channel.channelId }))]),
    ...emails.flatMap((address, index) =>
      members.includes(normalEmail(address))
        ? []
        : [ofNode(id, `config.notify.emails.${index}`, said('no_member', { address }))],
    ),
  ]);
  return issues.map(withTitles(graph.nodes));
}
