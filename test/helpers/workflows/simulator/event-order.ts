import type { Output } from '../../../../functions/workflows/domain/engine/engine-events.ts';

/** A fault in the order of a run's events; null if there is none. */
export function orderFault(shown: readonly Output[]): string | null {
  const open = new Map<string, 'open' | 'closed'>();
  const begin = (id: string): string | null => {
    if (open.has(id)) return `${id} began twice`;
    open.set(id, 'open');
    return null;
  };
  const end = (id: string): string | null => {
    if (open.get(id) !== 'open') return `${id} ended ${open.has(id) ? 'twice' : 'before it started'}`;
    open.set(id, 'closed');
    return null;
  };
  const isOpen = (id: string): string | null => (open.get(id) === 'open' ? null : `${id} was not open around it`);
  const parentOf = (key: string): string | null => (key.includes('[') ? key.slice(0, key.lastIndexOf('[')) : null);
  let fault: string | null = null;
  let isOver = false;
  for (const [index, output] of shown.entries()) {
    if (output.kind === 'text') continue;
    const { type, payload } = output;
    if ((index === 0) !== (type === 'workflow_started')) fault ??= `${type} came as number ${index}`;
    if (isOver) fault ??= `${type} came after the end`;
    const key = String(payload.execution_key ?? '');
    const parent = parentOf(key);
    if (key !== '' && parent !== null) fault ??= isOpen(`passes ${parent}`);
    switch (type) {
      case 'node_started':
        fault ??= begin(`node ${key}`);
        break;
      case 'node_finished':
        fault ??= end(`node ${key}`);
        if (open.get(`passes ${key}`) === 'open') fault ??= `node ${key} ended before its passes`;
        break;
      case 'iteration_started':
        fault ??= isOpen(`node ${key}`) ?? begin(`passes ${key}`);
        break;
      case 'iteration_next':
        fault ??= isOpen(`passes ${key}`);
        break;
      case 'iteration_completed':
        fault ??= end(`passes ${key}`);
        for (const [id, state] of open)
          if (state === 'open' && id.startsWith(`node ${key}[`)) fault ??= `${id} was open at the end of its passes`;
        break;
      case 'parallel_branch_started':
        fault ??= begin(`branch ${String(payload.branch_id)}`);
        break;
      case 'parallel_branch_finished':
        fault ??= end(`branch ${String(payload.branch_id)}`);
        break;
      case 'workflow_finished':
        isOver = true;
        for (const [id, state] of open) if (state === 'open') fault ??= `${id} was open at the end`;
        break;
      default:
        fault ??= type === 'workflow_started' || key === '' ? null : isOpen(`node ${key}`);
    }
  }
  return fault ?? (isOver ? null : 'the run has no end');
}
