import { FilterPattern, type IFilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Config } from '../config.ts';

interface RouteClass {
  readonly name: string;
  /** As the access log names it. */
  readonly route: string;
  readonly statuses: readonly string[];
}

/** The classes of routes with specific causes of failure. */
function classesOf({ sandbox }: Pick<Config, 'sandbox'>): readonly RouteClass[] {
  return [
    { name: 'ExtractionErrors', route: '/api/v1/edi-extract-lite/*', statuses: ['5*'] },
    // A 502 or a 504 is a failure of the workspace's own model provider.
    { name: 'ChatErrors', route: '/api/v1/chat/*', statuses: ['500', '503'] },
    // A 500 is a program that failed; without a sandbox every answer is a 503.
    { name: 'SandboxErrors', route: '/api/v1/execute*', statuses: sandbox === 'none' ? [] : ['503'] },
  ];
}

/** Patterns of the access log for the 5xx answers of handlers, by the name of their metric; those of API Gateway itself are not among them. */
export function handlerErrorFilters(config: Pick<Config, 'sandbox'>): ReadonlyMap<string, IFilterPattern> {
  const ofHandler = FilterPattern.stringValue('$.gatewayError', '=', '-');
  const classes = classesOf(config);
  const ofClasses = classes
    .filter(({ statuses }) => statuses.length > 0)
    .map(({ name, route, statuses }) => {
      const anyStatus = FilterPattern.any(
        ...statuses.map((status) => FilterPattern.stringValue('$.status', '=', status)),
      );
      return [name, FilterPattern.all(ofHandler, FilterPattern.stringValue('$.route', '=', route), anyStatus)] as const;
    });
  const others = FilterPattern.all(
    ofHandler,
    FilterPattern.stringValue('$.status', '=', '5*'),
    ...classes.map(({ route }) => FilterPattern.stringValue('$.route', '!=', route)),
  );
  return new Map([...ofClasses, ['OtherErrors', others]]);
}
