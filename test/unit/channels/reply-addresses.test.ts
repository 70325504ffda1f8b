import { describe, expect, it } from 'vitest';
import type { ChannelSettings, ChannelType } from '../../../functions/channels/domain/channel.ts';
import { addressOfCircuit, circuitOf } from '../../../functions/channels/domain/delivery/breaker.ts';
import type { ReplyTarget } from '../../../functions/channels/domain/inbound-message.ts';
import { discord } from '../../../functions/channels/domain/platforms/discord.ts';
import { slack } from '../../../functions/channels/domain/platforms/slack.ts';
import { teams } from '../../../functions/channels/domain/platforms/teams.ts';

const NOW_MS = Date.UTC(2026, 10, 29);
const TOKENS = { teams: async () => 'issued', forget: () => undefined };
const part = (target: ReplyTarget) => ({
  ...{ id: 'msg_1001', texts: ['hello'], target, channelId: 'ch_1', conversationId: 'c', index: 1, previous: null },
});
const access = (settings: ChannelSettings) => ({ settings, secret: () => 'secret', validSecrets: () => ['secret'] });
const hostOf = (call: { readonly url: string }) => new URL(call.url).host;

describe("a reply to Slack's command", () => {
  const send = (response_url: string, settings: ChannelSettings = {}) =>
    hostOf(
      slack.send(
        part({ channel: 'C1', response_url, until: String(NOW_MS + 60_000) }),
        access(settings),
        NOW_MS,
        TOKENS,
      ) as { url: string },
    );

  it('goes to the address that Slack gave', () => {
    expect(send('https://hooks.slack.com/commands/T1/2/3')).toBe('hooks.slack.com');
    expect(send('http://127.0.0.1:9/commands/1', { api_base_url: 'http://127.0.0.1:9' })).toBe('127.0.0.1:9');
  });

  it.each([
    'https://tenant.example/commands',
    'http://hooks.slack.com/commands',
    'https://hooks.slack.com.tenant.example/commands',
    'https://hooks.slack.com:8443/commands',
    'https://evil-hooks.slack.com/commands',
    'https://user@tenant.example/hooks.slack.com',
    'not an address',
  ])('goes to Slack by the bot’s token instead of %s', (url) => {
    expect(send(url)).toBe('slack.com');
  });
});

describe('a reply on Teams', () => {
  const send = async (service_url: string, settings: ChannelSettings = {}) =>
    hostOf(await teams.send(part({ conversation: 'a:1', service_url }), access(settings), NOW_MS, TOKENS));

  it('goes to the region that the message came from', async () => {
    expect(await send('https://smba.trafficmanager.net/kr/')).toBe('smba.trafficmanager.net');
    expect(await send('https://smba.infra.gov.teams.microsoft.us/teams')).toBe('smba.infra.gov.teams.microsoft.us');
  });

  it('that waits is addressed anew where the channel has changed', async () => {
    expect(await send('https://tenant.example/v3')).toBe('smba.trafficmanager.net');
    expect(await send('https://attacker.trafficmanager.net/')).toBe('smba.trafficmanager.net');
    expect(await send('https://old.example/', { api_base_url: 'https://new.example' })).toBe('new.example');
    expect(await send('https://smba.trafficmanager.net/kr', { api_base_url: 'https://new.example' })).toBe(
      'new.example',
    );
  });
});

describe('a reply to Discord', () => {
  const send = (target: ReplyTarget) => {
    const until = String(NOW_MS + 60_000);
    return discord.send(part({ until, ...target }), access({}), NOW_MS, TOKENS) as { url: string };
  };

  it('stays below the path of its ids, with any signs in them', () => {
    expect(send({ application: '../users', token: '@me?x=', channel: '1' }).url).toBe(
      'https://discord.com/api/v10/webhooks/..%2Fusers/%40me%3Fx%3D/messages/@original',
    );
    expect(send({ channel: '1/../../guilds#' }).url).toBe(
      'https://discord.com/api/v10/channels/1%2F..%2F..%2Fguilds%23/messages',
    );
    expect(() => send({ application: '..', token: 't', channel: '1' })).toThrow('wrong_id');
  });
});

describe('the circuit of a channel', () => {
  const circuit = (workspaceId: string, type: ChannelType, settings: ChannelSettings = {}) =>
    circuitOf({ workspaceId, type, settings });

  it('is its workspace’s: what a platform fails at for one stops no other', () => {
    expect(circuit('ws_1', 'slack')).not.toBe(circuit('ws_2', 'slack'));
    expect(circuit('ws_1', 'custom', { url: 'https://hooks.example/a' })).not.toBe(
      circuit('ws_2', 'custom', { url: 'https://hooks.example/b' }),
    );
  });

  it('is shared by the channels of a workspace that call one address', () => {
    expect(circuit('ws_1', 'slack')).toBe(circuit('ws_1', 'slack'));
    expect(circuit('ws_1', 'slack')).not.toBe(circuit('ws_1', 'slack', { api_base_url: 'https://proxy.example' }));
    expect(addressOfCircuit(circuit('ws_1', 'slack'))).toBeNull();
    expect(addressOfCircuit(circuit('ws_1', 'custom', { url: 'https://hooks.example/a?b' }))).toBe(
      'https://hooks.example',
    );
  });
});
