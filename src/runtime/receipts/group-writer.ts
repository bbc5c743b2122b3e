/** Writes rows in groups: what arrives during one write goes into the next, so that many calls share a transaction. */

interface GroupWriter<Row> {
  /** Resolves when the row is stored. A later row with the same id replaces one that waits. */
  put(row: Row): Promise<void>;
  /** Resolves when nothing waits. */
  flush(): Promise<void>;
}

/** Engines limit the parameters of a statement. */
const MOST_A_WRITE = 200;

interface Group<Row> {
  rows: Map<string, Row>;
  done: PromiseWithResolvers<void>;
}

export function groupWriter<Row extends { id: string }>(
  save: (rows: readonly Row[]) => Promise<void>,
): GroupWriter<Row> {
  const waiting: Group<Row>[] = [];
  let working: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
      await save([...group.rows.values()]).then(group.done.resolve, group.done.reject);
    working = null;
  };
  return {
    put: (row) => {
      let group = waiting.at(-1);
      if (group === undefined || group.rows.size >= MOST_A_WRITE) {
        group = { rows: new Map(), done: Promise.withResolvers() };
        waiting.push(group);
      }
      group.rows.set(row.id, row);
      working ??= work();
      return group.done.promise;
    },
    flush: async () => {
      while (working !== null) await working;
    },
  };
}
