/** How many turns of the event loop there were while `work` ran: other requests are answered in them. */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve));
  return { turns, result: await working };
}
