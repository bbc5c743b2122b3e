import type { Contract, Handler, OperationBase, Routes } from './operation.ts';

/** An operation and its handler. */
export interface Bound {
  operation: OperationBase;
  handler: Handler;
}

/**
 * Combines a contract with its routes. Each handler is typed by its own operation; the router treats them all alike.
 */
export const bind = <C extends Contract>(contract: C, routes: Routes<C>): Bound[] =>
  Object.entries(contract).map(([name, operation]) => ({ operation, handler: routes[name as keyof C] as Handler }));

/** Like `bind`, for rarely used operations: the first request loads their routes, which use no memory before. */
export function bindLater<C extends Contract>(contract: C, load: () => Promise<Routes<C>>): Bound[] {
  let loading: Promise<Routes<C>> | undefined;
  const routes = () => {
    loading ??= load();
    return loading;
  };
  return Object.entries(contract).map(([name, operation]) => ({
    operation,
    handler: async (input) => ((await routes())[name as keyof C] as Handler)(input),
  }));
}

/** Like `bind`, for several resources. */
export const bindAll = <R extends Record<string, Contract>>(
  contracts: R,
  routes: { [Name in keyof R]: Routes<R[Name]> },
): Bound[] => Object.entries(contracts).flatMap(([name, contract]) => bind(contract, routes[name as keyof R] as never));

/** Like `bindLater`, for resources whose routes are created together. */
export function bindTogether<R extends Record<string, Contract>>(
  contracts: R,
  load: () => Promise<{ [Name in keyof R]: Routes<R[Name]> }>,
): Bound[] {
  let loading: ReturnType<typeof load> | undefined;
  const routes = () => {
    loading ??= load();
    return loading;
  };
  return Object.entries(contracts).flatMap(([name, contract]) =>
    bindLater(contract, async () => (await routes())[name as keyof R] as Routes<Contract>),
  );
}
