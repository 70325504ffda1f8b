import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, type CfnGlobalTable, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { TableDefinition } from '../../functions/shared/resources.ts';

export interface DataTableProps {
  readonly definition: TableDefinition;
  /** Data that outlives the stack, and cannot be deleted by a slip. */
  readonly keepForGood: boolean;
  /** Encrypts the table; absent: a key of AWS. */
  readonly key?: IKey;
}

/** A table that is paid by use, can be set back to any second of the last 35 days, and forgets expired items. */
export class DataTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { definition, keepForGood, key }: DataTableProps) {
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
    if (key) this.#encrypt(key);
  }

  /** By hand: the construct would want to know the region at synthesis. */
  #encrypt(key: IKey): void {
    const table = this.table.node.defaultChild as CfnGlobalTable;
    table.sseSpecification = { sseEnabled: true, sseType: 'KMS' };
    table.addPropertyOverride('Replicas.0.SSESpecification', { KMSMasterKeyId: key.keyArn });
  }
}
