import { CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Route } from '../../functions/shared/http/route.ts';
import { METRICS_NAMESPACE } from '../../functions/shared/metric-names.ts';
import type { Config } from '../config.ts';
import { Alarms } from '../constructs/alarms.ts';
import { Firewall } from '../constructs/firewall.ts';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { RestService } from '../constructs/rest-service.ts';
import { RouteFunction } from '../constructs/route-function.ts';
import { mapValues } from '../map-values.ts';
import { grantAccess } from '../route-access.ts';
import type { DataStack } from './data-stack.ts';

export interface ServiceStackProps extends StackProps {
  readonly config: Config;
  readonly routes: readonly Route[];
  /** The bundle of every route's handler. */
  readonly code: Code;
  readonly version: string;
  readonly data: DataStack;
}

/** What runs: a function for every route, the API in front of them, and the alarms. Holds no data. */
export class ServiceStack extends Stack {
  readonly functions: Readonly<Record<Route['id'], LambdaFunction>>;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    const { config, routes, data } = props;
    const serviceName = `tripod-${config.stage}`;
    const ocr = new OcrLayer(this, 'Ocr');

    const served = routes.map((route) => ({ route, function: this.#functionOf(route, serviceName, ocr, props) }));
    this.functions = Object.fromEntries(served.map(({ route, function: handler }) => [route.id, handler]));

    const { api } = new RestService(this, 'Rest', { config, routes: served });
    new Alarms(this, 'Alarms', {
      api,
      functions: this.functions,
      deadLetters: mapValues(data.queues, ({ deadLetters }) => deadLetters),
      serviceName,
      email: config.alarmEmail,
    });
    if (config.waf) new Firewall(this, 'Firewall', { api });

    new CfnOutput(this, 'Url', { value: api.url, description: 'Base address of the API' });
    if (config.domainName && config.certificateArn) {
      const domain = api.addDomainName('Domain', {
        domainName: config.domainName,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', config.certificateArn),
        securityPolicy: SecurityPolicy.TLS_1_2,
      });
      new CfnOutput(this, 'DomainTarget', {
        value: domain.domainNameAliasDomainName,
        description: `Point ${config.domainName} at this name (CNAME or alias)`,
      });
    }
  }

  #functionOf(route: Route, serviceName: string, ocr: OcrLayer, props: ServiceStackProps): LambdaFunction {
    const { config, data, code, version } = props;
    const name = route.id.replaceAll('.', '-');
    const { statements, environment } = grantAccess(route, data, config);
    const construct = new RouteFunction(this, name, {
      route,
      functionName: `${serviceName}-${name}`,
      code,
      layers: route.access.ocr ? [ocr.layer] : [],
      environment: {
        ...environment,
        LOG_LEVEL: config.logLevel,
        SERVICE_VERSION: version,
        POWERTOOLS_SERVICE_NAME: serviceName,
        POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
      },
      statements,
      logRetentionDays: config.logRetentionDays,
      keepLogs: config.isProduction,
    });
    this.#acknowledgeWildcards(construct, route, data);
    return construct.function;
  }

  #acknowledgeWildcards(construct: Construct, { access }: Route, data: DataStack): void {
    const acknowledge = (finding: string, reason: string) =>
      Validations.of(construct).acknowledge({ id: `AwsSolutions-IAM5[${finding}]`, reason });
    if (access.uploads) {
      const imported = this.resolve(data.exportValue(data.buckets.uploads.bucketArn)) as { 'Fn::ImportValue': string };
      acknowledge(`Resource::${imported['Fn::ImportValue']}/*`, 'The names of uploads are not known beforehand.');
    }
    if (access.textract) acknowledge('Resource::*', 'Textract has no resources: its rights are for all or none.');
  }
}
