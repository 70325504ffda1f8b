import { Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Service } from '../../functions/shared/function-id.ts';
import {
  FIRST_TOKEN_MS,
  GREEN_LINES,
  IMAGES_GIVEN_UP,
  LIMIT_STORE_FAILURES,
  LINES,
  type MetricName,
  MODEL_FAILURES,
  NO_FREE_RUNNERS,
  OTHER_PAGES,
  PAGES,
  READER_FAILURES,
  REVENUE_KRW,
  SANDBOX_MISSES,
  STALE_DRUG_MASTER,
  TABLE_THROTTLES,
} from '../../functions/shared/metric-names.ts';
import type { Config } from '../config.ts';
import { deploymentName, logMetricsNamespace, poolClusterName } from '../names.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import { countedMetric } from './counted-metric.ts';
import { GATEWAY_ERRORS } from './rest-service.ts';
import { faultsMetricName } from './service-log.ts';

const PERIOD = Duration.minutes(5);
/** Of the 24 columns of a dashboard: three widgets a row. */
const WIDTH = 8;

export interface ServiceDashboardProps {
  readonly config: Config;
  readonly data: DataStack;
  readonly services: readonly Service[];
}

/** One page for the operator. Every metric is found by a name that is known beforehand or exported by the data stack. */
export class ServiceDashboard extends Construct {
  readonly #config: Config;

  constructor(scope: Construct, id: string, { config, data, services }: ServiceDashboardProps) {
    super(scope, id);
    this.#config = config;
    const rows: readonly (readonly IWidget[])[] = [
      [this.#traffic(), this.#latency(), this.#ofFunctions('Slowest functions, p99', 'Duration', 'p99')],
      [
        this.#faults(services),
        this.#ofFunctions('Crashes and time-outs', 'Errors', 'Sum'),
        graph('Degraded', [
          this.#counted(LIMIT_STORE_FAILURES),
          this.#counted(IMAGES_GIVEN_UP),
          this.#counted(STALE_DRUG_MASTER),
          this.#counted(READER_FAILURES),
          this.#counted(MODEL_FAILURES),
          this.#counted(TABLE_THROTTLES),
        ]),
      ],
      [
        graph('Money charged, KRW', [this.#counted(REVENUE_KRW)]),
        this.#share('Lines that are GREEN, %', GREEN_LINES, LINES),
        this.#share('Pages of no known document type, %', OTHER_PAGES, PAGES),
      ],
      this.#queues(data),
      [this.#firstTokens()],
      ...(config.sandbox === 'fargate' ? [this.#pool()] : []),
      [this.#tables(data), this.#ofFunctions('Invocations', 'Invocations', 'Sum'), this.#concurrency()],
    ];
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: deploymentName(config),
      defaultInterval: Duration.hours(12),
    });
    for (const row of rows) dashboard.addWidgets(...row);
  }

  #traffic(): GraphWidget {
    return graph('Requests and errors', [
      this.#api('Count', Stats.SUM),
      this.#api('4XXError', Stats.SUM),
      this.#api('5XXError', Stats.SUM),
    ]);
  }

  #latency(): GraphWidget {
    return graph(
      'Latency of the API',
      [Stats.p(50), Stats.p(90), Stats.p(99)].map((p) => this.#api('Latency', p, p)),
    );
  }

  #api(metricName: string, statistic: string, label?: string): Metric {
    return new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiName: deploymentName(this.#config) },
      statistic,
      period: PERIOD,
      ...(label !== undefined && { label }),
    });
  }

  #faults(services: readonly Service[]): GraphWidget {
    const namespace = logMetricsNamespace(this.#config);
    const counted = [...services.map(faultsMetricName), GATEWAY_ERRORS];
    return graph(
      'Faults by service',
      counted.map((metricName) => new Metric({ namespace, metricName, statistic: Stats.SUM, period: PERIOD })),
    );
  }

  #firstTokens(): GraphWidget {
    return graph(
      'From the request to the first text of an answer, ms',
      [Stats.p(50), Stats.p(99)].map((statistic) =>
        this.#counted(FIRST_TOKEN_MS).with({ statistic, label: statistic }),
      ),
    );
  }

  /** A search instead of a list: it finds functions that are added later, and is not limited by their number. */
  #ofFunctions(title: string, metricName: string, statistic: string): GraphWidget {
    return graph(title, [
      new MathExpression({
        expression: `SEARCH('{AWS/Lambda,FunctionName} tripod ${this.#config.stage} MetricName="${metricName}"', '${statistic}')`,
        label: '',
        period: PERIOD,
      }),
    ]);
  }

  #queues({ queues }: DataStack): GraphWidget[] {
    const all = Object.entries(queues);
    return [
      graph(
        'Age of the oldest message',
        all.map(([id, { queue }]) => queue.metricApproximateAgeOfOldestMessage({ label: id, period: PERIOD })),
      ),
      graph(
        'Messages that wait',
        all.map(([id, { queue }]) => queue.metricApproximateNumberOfMessagesVisible({ label: id, period: PERIOD })),
      ),
      graph(
        'Dead letters',
        all.map(([id, { deadLetters }]) =>
          deadLetters.metricNumberOfMessagesReceived({ label: id, statistic: Stats.SUM, period: PERIOD }),
        ),
      ),
    ];
  }

  #pool(): GraphWidget[] {
    return [
      graph('Runners', [
        new Metric({
          namespace: 'ECS/ContainerInsights',
          metricName: 'TaskCount',
          dimensionsMap: { ClusterName: poolClusterName(this.#config) },
          statistic: Stats.AVERAGE,
          period: PERIOD,
        }),
      ]),
      graph('Programs that waited, minutes without a free runner', [
        this.#counted(SANDBOX_MISSES),
        this.#counted(NO_FREE_RUNNERS),
      ]),
    ];
  }

  #tables({ tables }: DataStack): GraphWidget {
    return graph(
      'Writes to the tables',
      Object.entries(tables).map(([id, table]) =>
        table.metricConsumedWriteCapacityUnits({ label: id, statistic: Stats.SUM, period: PERIOD }),
      ),
    );
  }

  /** A share of the read pages: a change indicates other sheets, or a reader that got worse. */
  #share(title: string, part: MetricName, whole: MetricName): GraphWidget {
    const usingMetrics = { part: this.#counted(part), whole: this.#counted(whole) };
    return graph(title, [
      new MathExpression({ expression: '100 * part / whole', label: title, usingMetrics, period: PERIOD }),
    ]);
  }

  #concurrency(): GraphWidget {
    return graph('Concurrency of the account', [
      new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'ConcurrentExecutions',
        statistic: Stats.MAXIMUM,
        period: PERIOD,
      }),
    ]);
  }

  #counted(metricName: MetricName): Metric {
    return countedMetric(this.#config, metricName);
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: WIDTH });
}
