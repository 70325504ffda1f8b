import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  type FunctionProps,
  type ILayerVersion,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RouteLimits } from '../../functions/shared/http/route.ts';

/** Where a function that is not outside of every network runs. */
export type FunctionNetwork = Required<Pick<FunctionProps, 'vpc' | 'vpcSubnets' | 'securityGroups'>>;

export interface ServiceFunctionProps {
  /** Module of the bundle that exports `handler`, without its ending. */
  readonly module: string;
  readonly limits: Pick<RouteLimits, 'timeoutSeconds' | 'memoryMb'>;
  readonly functionName: string;
  readonly description: string;
  /** The asset that all functions share. */
  readonly code: Code;
  readonly layers: readonly ILayerVersion[];
  readonly environment: Readonly<Record<string, string>>;
  /** All that the function may do, but for writing its own log. */
  readonly statements: readonly PolicyStatement[];
  readonly logRetentionDays: RetentionDays;
  readonly keepLogs: boolean;
  readonly network?: FunctionNetwork | null;
}

/** The Lambda function of one route or worker, with a role and a log of its own. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { module, limits, functionName, description } = props;
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: props.logRetentionDays,
      removalPolicy: props.keepLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const writeLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    // Instead of AWSLambdaBasicExecutionRole, which may write every log of the account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Rights of ${functionName}`,
      inlinePolicies: { access: new PolicyDocument({ statements: [writeLog, ...props.statements] }) },
    });
    this.function = new LambdaFunction(this, 'Function', {
      functionName,
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: props.code,
      handler: `${module}.handler`,
      memorySize: limits.memoryMb,
      timeout: Duration.seconds(limits.timeoutSeconds),
      environment: { ...props.environment },
      layers: [...props.layers],
      role,
      logGroup,
      ...props.network,
    });
  }
}
