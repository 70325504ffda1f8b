import { expect, it } from 'vitest';
import {
  ABSENT,
  and,
  atMost,
  beginsWith,
  conditionInput,
  equal,
  missing,
  or,
  updateInput,
} from '../../../../functions/adapters/dynamodb/expressions.ts';

it('a condition names its attributes and its values, and keeps the grouping of its parts', () => {
  const condition = or(ABSENT, and(missing('response'), or(atMost('leaseUntilMs', 7), equal('owner', 'run_1'))));
  expect(conditionInput(condition)).toEqual({
    ConditionExpression:
      'attribute_not_exists(#pk) OR attribute_not_exists(#response) AND (#leaseUntilMs <= :0 OR #owner = :1)',
    ExpressionAttributeNames: {
      '#pk': 'pk',
      '#response': 'response',
      '#leaseUntilMs': 'leaseUntilMs',
      '#owner': 'owner',
    },
    ExpressionAttributeValues: { ':0': 7, ':1': 'run_1' },
  });
});

it('an update sets, increments and removes, with values separate from those of its condition', () => {
  const change = {
    set: { status: 'queued', owner: 'run_1' },
    increment: { attempts: -1 },
    remove: ['program', 'startedAt'],
    condition: and(equal('status', 'running'), beginsWith('sk', 'JOB#')),
  };
  expect(updateInput(change)).toEqual({
    UpdateExpression: 'SET #status = :0, #owner = :1, #attempts = #attempts + :2 REMOVE #program, #startedAt',
    ConditionExpression: 'attribute_exists(#pk) AND #status = :3 AND begins_with(#sk, :4)',
    ExpressionAttributeNames: {
      '#status': 'status',
      '#owner': 'owner',
      '#attempts': 'attempts',
      '#program': 'program',
      '#startedAt': 'startedAt',
      '#pk': 'pk',
      '#sk': 'sk',
    },
    ExpressionAttributeValues: { ':0': 'queued', ':1': 'run_1', ':2': -1, ':3': 'running', ':4': 'JOB#' },
  });
});

it('a request without a condition has no empty maps, which DynamoDB refuses', () => {
  expect(conditionInput(undefined)).toEqual({});
  expect(updateInput({ orCreate: true, set: { isSent: true } })).toEqual({
    UpdateExpression: 'SET #isSent = :0',
    ExpressionAttributeNames: { '#isSent': 'isSent' },
    ExpressionAttributeValues: { ':0': true },
  });
});
