import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { TableDefinition } from '../../functions/shared/resources.ts';

export interface DataTableProps {
  readonly definition: TableDefinition;
  /** Data that outlives the stack, and cannot be deleted by a slip. */
  readonly keepForGood: boolean;
}

/** A table that is paid by use, can be set back to any second of the last 35 days, and forgets expired items. */
export class DataTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { definition, keepForGood }: DataTableProps) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: definition.partitionKey, type: AttributeType.STRING },
      sortKey: { name: definition.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: definition.timeToLiveAttribute,
      billing: Billing.onDemand(),
      ...(definition.isStreamed && { dynamoStream: StreamViewType.KEYS_ONLY }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepForGood,
      removalPolicy: keepForGood ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
