/** Resolves at the first SIGTERM or SIGINT; a second one ends the process immediately. */
export function nextSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      process.once(signal, () => process.exit(1));
      resolve(signal);
    });
  return promise;
}
