import { allowTable, type GrantMaker } from './grant.ts';

/** The bucket of free pages of each workspace. */
export const grantFreePages: GrantMaker = (sources) => [
  allowTable('limits', ['GetItem', 'UpdateItem'], sources),
  {
    environment: {
      FREE_PAGES_PER_DAY: String(sources.config.freePagesPerDay),
      FREE_PAGES_PER_ADDRESS: String(sources.config.freePagesPerDayAndAddress),
      FREE_PAGES_IN_ALL: String(sources.config.freePagesPerDayInAll),
    },
  },
];

/** Taking tokens of the buckets of rate limits: for every route that has limits, and for workers that limit messages. */
export const grantLimits: GrantMaker = (sources) => [
  allowTable('limits', ['UpdateItem'], sources),
  {
    environment: {
      USER_LIMIT_PER_MINUTE: String(sources.config.userRequestsPerMinute),
      ADDRESS_LIMIT_PER_MINUTE: String(sources.config.addressRequestsPerMinute),
      CHAT_LIMIT_PER_MINUTE: String(sources.config.chatRequestsPerMinute),
      CHAT_LIMIT_BURST: String(sources.config.chatBurst),
    },
  },
];
