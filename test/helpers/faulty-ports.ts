/**
 * `killed before/after`: the process dies at this call; nothing of the run reaches a port any more.
 * `fails before`: the call fails without any effect. `answer lost`: it takes effect, and fails all the same.
 */
export type Fault = 'killed before' | 'killed after' | 'fails before' | 'answer lost';

/** Another caller's action right before this call, which must be asynchronous. */
export type Interleaved = () => Promise<unknown>;

/** Ends a run; a catch that continues regardless fails again at its next port call. */
class Killed extends Error {
  override name = 'Killed';
}

/** Ports whose methods answer at once, and throw. */
const ANSWER_AT_ONCE = new Set(['clock', 'ids']);

/** A process that was killed between two calls made at once waits for neither. */
function handled<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

/** The ports of one run: the call number `at` (of all calls to all ports, from 0), or every call of the name `at`, meets the fault. */
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
          const here = !dead && [calls.push(name) - 1, name].includes(at);
          const before = () => {
            alive();
            if (here && fault === 'killed before') die();
            if (here && fault === 'fails before') lose(name);
          };
          // A port that returns a promise also fails with one: calls made in parallel are awaited nevertheless.
          if (ANSWER_AT_ONCE.has(portName)) before();
          else {
            try {
              before();
            } catch (error) {
              return handled(Promise.reject(error));
            }
          }
          const afterwards = (value: unknown) => {
            alive();
            if (here && fault === 'killed after') die();
            if (here && fault === 'answer lost') lose(name);
            return value;
          };
          if (here && typeof fault === 'function') return fault().then(() => Reflect.apply(member, target, parameters));
          const value: unknown = Reflect.apply(member, target, parameters);
          if (!(value instanceof Promise)) return afterwards(value);
          return handled(value.then(afterwards));
        };
      },
    });
  }

  const wrapped = Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, port === null ? null : wrap(name, port as object)]),
  );
  return { ports: wrapped as Ports, calls };
}
