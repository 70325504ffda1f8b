import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type Code,
  type FunctionProps,
  type ILayerVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RouteLimits } from '../../functions/shared/http/route.ts';
import type { Config } from '../config.ts';

/** Network of a function that is not outside of every network. */
export type FunctionNetwork = Required<Pick<FunctionProps, 'vpc' | 'vpcSubnets' | 'securityGroups'>>;

export interface ServiceFunctionProps {
  readonly limits: Pick<RouteLimits, 'timeoutSeconds' | 'memoryMb'>;
  readonly functionName: string;
  readonly description: string;
  /** Its `index.mjs` exports `handler`. */
  readonly code: Code;
  readonly layers: readonly ILayerVersion[];
  readonly environment: Readonly<Record<string, string>>;
  /** Rights of the function, but for writing its log. */
  readonly statements: readonly PolicyStatement[];
  readonly logGroup: LogGroup;
  readonly logLevel: Config['logLevel'];
  readonly network?: FunctionNetwork;
}

/** The Lambda function of one route or worker, with its own role. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { limits, functionName, description, logGroup } = props;
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
      handler: 'index.handler',
      memorySize: limits.memoryMb,
      timeout: Duration.seconds(limits.timeoutSeconds),
      environment: { ...props.environment },
      layers: [...props.layers],
      role,
      logGroup,
      // Lambda's own lines as JSON too, so that one filter finds crashes, time-outs and logged errors.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.INFO,
      applicationLogLevelV2: ApplicationLogLevel[props.logLevel],
      ...props.network,
    });
  }
}
