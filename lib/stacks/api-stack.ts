import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { specification1Routes } from '../../functions/routes.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { getHealthRoute } from '../../functions/system/routes.ts';
import { commonEnvironment } from '../common-environment.ts';
import type { Config } from '../config.ts';
import { Alarms } from '../constructs/alarms.ts';
import { Firewall } from '../constructs/firewall.ts';
import { Intake } from '../constructs/intake.ts';
import { RestService } from '../constructs/rest-service.ts';
import { SocketApi } from '../constructs/socket-api.ts';
import { acknowledgeWildcards } from '../grants/acknowledge.ts';
import { grantsOf } from '../grants/grants.ts';
import type { DataStack } from './data-stack.ts';

/** Single 503s are ordinary: they ask to try again. */
const HANDLER_ERRORS_THRESHOLD = 10;

export interface ApiStackProps extends StackProps {
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly version: string;
  readonly data: DataStack;
  readonly alarmTopic: ITopic;
}

/** The ways in: the REST API before the functions of all services, the firewall, the container intake. */
export class ApiStack extends Stack {
  readonly restApiId: string;
  readonly #alarms: Alarms;
  readonly #props: ApiStackProps;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    const { config, routes, alarmTopic } = props;
    super(scope, id);
    this.#props = props;
    this.#alarms = new Alarms(this, 'Alarms', alarmTopic);
    const { api, gatewayErrors, handlerErrors, logAccount } = new RestService(this, 'Rest', { config, routes });
    this.restApiId = api.restApiId;
    // With any options: CloudFormation refuses to drop an export in use.
    this.exportValue(api.restApiId);
    this.#alarms.watch('GatewayErrors', {
      metric: gatewayErrors,
      description: 'API Gateway answers 5xx by itself: functions crash, run out of time or cannot be invoked',
      threshold: 5,
    });
    for (const [name, metric] of handlerErrors)
      this.#alarms.watch(name, {
        metric,
        description: `Handlers answered ${HANDLER_ERRORS_THRESHOLD} requests of a kind with 5xx within five minutes: faults, or readers, models or runners that are busy`,
        threshold: HANDLER_ERRORS_THRESHOLD,
      });
    if (config.waf) new Firewall(this, 'Firewall', { resourceArn: api.deploymentStage.stageArn, endsAtLambda: true });
    if (config.intakeCertificateArn && config.inlineImages === 'container')
      this.#addIntake(config.intakeCertificateArn);

    const sockets = new SocketApi(this, 'Sockets', { config, logAccount });
    new CfnOutput(this, 'SocketUrl', { value: sockets.url, description: 'Address of the WebSockets of chat' });
    if (sockets.domainTarget !== null)
      new CfnOutput(this, 'SocketDomainTarget', {
        value: sockets.domainTarget,
        description: `Point ${config.socketDomainName} at this name (CNAME or alias)`,
      });

    const url = config.domainName === undefined ? api.url : `https://${config.domainName}/`;
    new CfnOutput(this, 'Url', { value: url, description: 'Base address of the API' });
    new CfnOutput(this, 'Health', {
      value: `${url}${getHealthRoute.path.slice(1)}`,
      description: 'Answers 200 when the service works; without a key',
    });
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

  #addIntake(certificateArn: string): void {
    const { config, data, version } = this.#props;
    const sources = { stack: this, data, config, ocrLayer: null, pool: null };
    const granted = specification1Routes.map((route) => grantsOf(route, sources));
    // The layer's folder: the image has the models where the repository has them.
    const { OCR_DIR, ...environment } = Object.assign({}, ...granted.map((each) => each.environment));
    const intake = new Intake(this, 'Intake', {
      config,
      certificateArn,
      environment: { ...environment, ...commonEnvironment(config, version) },
      statements: granted.flatMap(({ statements }) => statements),
    });
    acknowledgeWildcards(
      intake,
      granted.flatMap(({ wildcards }) => wildcards),
    );
    const { loadBalancer } = intake.balancer;
    intake.balancer.watchedBy(this.#alarms);
    if (config.waf)
      new Firewall(this, 'IntakeFirewall', { resourceArn: loadBalancer.loadBalancerArn, endsAtLambda: false });
    new CfnOutput(this, 'IntakeTarget', {
      value: loadBalancer.loadBalancerDnsName,
      description: 'Point the name of the intake’s certificate at this name (CNAME or alias)',
    });
  }
}
