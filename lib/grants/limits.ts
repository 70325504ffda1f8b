import { tables } from '../../functions/shared/resources.ts';
import { allowTable, type GrantMaker } from './grant.ts';

/** The bucket of free pages of each workspace. */
export const grantFreePages: GrantMaker = (entry, sources) => {
  if (!entry.access.freePages) return [];
  const { data, config } = sources;
  const { limits } = data.tables;
  return [
    {
      statements: allowTable(entry, 'limits', ['dynamodb:GetItem', 'dynamodb:UpdateItem'], sources),
      environment: {
        [tables.limits.environment]: limits.tableName,
        FREE_PAGES_PER_DAY: String(config.freePagesPerDay),
        FREE_PAGES_PER_ADDRESS: String(config.freePagesPerDayAndAddress),
        FREE_PAGES_IN_ALL: String(config.freePagesPerDayInAll),
      },
    },
  ];
};

/** Taking tokens of the buckets of rate limits: of every route that has limits, and of workers that limit messages. */
export const grantLimits: GrantMaker = (entry, sources) => {
  const { auth, isUnlimited, access } = entry;
  if ((auth === undefined && !access.rateLimits) || isUnlimited) return [];
  const { data, config } = sources;
  const { limits } = data.tables;
  return [
    {
      statements: allowTable(entry, 'limits', ['dynamodb:UpdateItem'], sources),
      environment: {
        [tables.limits.environment]: limits.tableName,
        USER_LIMIT_PER_MINUTE: String(config.userRequestsPerMinute),
        ADDRESS_LIMIT_PER_MINUTE: String(config.addressRequestsPerMinute),
        CHAT_LIMIT_PER_MINUTE: String(config.chatRequestsPerMinute),
        CHAT_LIMIT_BURST: String(config.chatBurst),
      },
    },
  ];
};
