/**
 * `killed before/after`: the process dies at this call; nothing of the run reaches a port any more.
 * `fails before`: the call fails without any effect. `answer lost`: it takes effect, and fails all the same.
 */
export type Fault = 'killed before' | 'killed after' | 'fails before' | 'answer lost';

/** What another caller does right before this call, which has to be an asynchronous one. */
export type Interleaved = () => Promise<unknown>;

/** Ends a run; a catch that goes on regardless fails again at its next port call. */
class Killed extends Error {
  override name = 'Killed';
}

/**
 * The ports of one run, of which the call number `at` (of all calls to all ports, from 0), or every call of the name `at`,
 * meets the fault.
 */
export function faultyPorts<Ports extends object>(
  ports: Ports,
  fault: Fault | Interleaved | null,
  at: number | string,
): { ports: Ports; calls: string[] } {
  const calls: string[] = [];
  let dead = false;

  const die = (): never => {
    dead = true;
    throw new Killed();
  };
  const alive = () => {
    if (dead) throw new Killed();
  };
  const lose = (name: string): never => {
    throw new Error(`${name}: unavailable`);
  };

  function wrap<P extends object>(portName: string, port: P): P {
    return new Proxy(port, {
      get(target, method) {
        const member: unknown = Reflect.get(target, method, target);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]) => {
          const name = `${portName}.${String(method)}`;
          alive();
          const here = [calls.push(name) - 1, name].includes(at);
          if (here && fault === 'killed before') die();
          if (here && fault === 'fails before') lose(name);
          const afterwards = (value: unknown) => {
            alive();
            if (here && fault === 'killed after') die();
            if (here && fault === 'answer lost') lose(name);
            return value;
          };
          if (here && typeof fault === 'function') return fault().then(() => Reflect.apply(member, target, parameters));
          const value: unknown = Reflect.apply(member, target, parameters);
          if (!(value instanceof Promise)) return afterwards(value);
          const result = value.then(afterwards);
          // A process that was killed between two calls made at once waits for neither.
          result.catch(() => undefined);
          return result;
        };
      },
    });
  }

  const wrapped = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, wrap(name, port as object)]));
  return { ports: wrapped as Ports, calls };
}
