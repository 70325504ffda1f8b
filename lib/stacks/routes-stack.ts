import type { Construct } from 'constructs';
import type { Service } from '../../functions/shared/function-id.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** A service that has routes and nothing else. */
export class RoutesStack extends ServiceStack {
  constructor(scope: Construct, id: string, service: Service, props: ServiceStackProps) {
    super(scope, id, service, props);
    this.serveRoutes();
  }
}
