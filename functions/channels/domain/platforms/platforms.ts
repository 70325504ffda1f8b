import type { ChannelType } from '../channel.ts';
import { custom } from './custom.ts';
import { discord } from './discord.ts';
import { line } from './line.ts';
import type { Platform } from './platform.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { whatsapp } from './whatsapp.ts';

/** The adapter of every platform. */
export const platforms: Readonly<Record<ChannelType, Platform>> = {
  slack,
  discord,
  telegram,
  line,
  teams,
  whatsapp,
  custom,
};
