/** Makes of `handler`, the function with this id, one that runs it in its own way and is like it otherwise. */
export type AroundHandler = <Handler extends (...args: never[]) => unknown>(id: string, handler: Handler) => Handler;

let around: AroundHandler = (_, handler) => handler;

/** For tests: wraps every function, for example with its rights on AWS, around any earlier wrapper. Call before the service starts. */
export function setAroundHandler(wrap: AroundHandler): void {
  const inner = around;
  around = (id, handler) => wrap(id, inner(id, handler));
}

/** The handler of a function as the local service runs it. */
export const aroundHandler: AroundHandler = (id, handler) => around(id, handler);
