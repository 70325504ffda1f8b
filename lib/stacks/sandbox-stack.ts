import type { Construct } from 'constructs';
import {
  executeRequestWorker,
  failExecutionWorker,
  makeFileWorker,
  processExecutionWorker,
  reconcileExecutionsWorker,
  reconcilePoolWorker,
  registerRunnerWorker,
  runProgramWorker,
} from '../../functions/sandbox/workers.ts';
import { SandboxPool } from '../constructs/sandbox-pool.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** Execution of programs; with `sandbox=fargate` also the pool of runners, without it every execution is refused. */
export class SandboxStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, 'sandbox', props);
    const { config, data, routes } = props;
    const pool =
      config.sandbox === 'fargate'
        ? new SandboxPool(this, 'Sandbox', {
            config,
            data,
            callers: [...routes, processExecutionWorker, executeRequestWorker, runProgramWorker],
          })
        : null;
    this.serveRoutes({ pool });
    this.functionOf(executeRequestWorker, executeRequestWorker.doc.summary, { pool });
    this.functionOf(runProgramWorker, runProgramWorker.doc.summary, { pool });
    this.functionOf(makeFileWorker, makeFileWorker.doc.summary);
    this.workQueue(
      'ExecutionWork',
      {
        queue: 'executions',
        work: processExecutionWorker,
        fail: failExecutionWorker,
        reconcile: reconcileExecutionsWorker,
      },
      { pool },
    );
    if (pool === null) return;
    pool.runWorkers({
      note: this.functionOf(registerRunnerWorker, registerRunnerWorker.doc.summary, { pool }),
      tend: this.functionOf(reconcilePoolWorker, reconcilePoolWorker.doc.summary, { pool }),
    });
    pool.watchedBy(this.alarms);
  }
}
