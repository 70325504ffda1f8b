import { LINK_PARTITIONS, OUTBOX_PARTITION } from '../../functions/adapters/dynamodb/keys.ts';
import { allowTable, type GrantMaker, ofPartitions } from './grant.ts';

/** Adding mails to the outbox, which is in the table of balances: the right is limited to its partition. */
export const addToOutbox: GrantMaker = (sources) => [
  allowTable('accounts', ['PutItem'], sources, ofPartitions(OUTBOX_PARTITION)),
];

/** Sending the mails of the outbox, and the links that they bring. */
export const deliverOutbox: GrantMaker = (sources) => [
  allowTable('accounts', ['UpdateItem', 'DeleteItem'], sources, ofPartitions(OUTBOX_PARTITION)),
  allowTable('accounts', ['PutItem'], sources, ofPartitions(`${LINK_PARTITIONS}*`)),
];
