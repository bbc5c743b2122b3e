/** Writes rows in groups: what arrives during one write goes into the next, so that many calls share a transaction. */

interface GroupWriter<Row> {
  /** Resolves when the row is stored. A later row with the same id replaces one that waits. */
  put(row: Row): Promise<void>;
  /** The same for rows that nobody waits for: they share the write of the next row that is put, if one comes soon. */
  putSoon(row: Row): Promise<void>;
  /** Resolves when nothing waits. */
  flush(): Promise<void>;
}

/** Engines limit the parameters of a statement. */
const MOST_A_WRITE = 200;

/** How long rows that nobody waits for are kept back. If the process is killed meanwhile, they are lost. */
const SOON_MS = 4;

interface Group<Row> {
  rows: Map<string, Row>;
  done: PromiseWithResolvers<void>;
}

export function groupWriter<Row extends { id: string }>(
  save: (rows: readonly Row[]) => Promise<void>,
): GroupWriter<Row> {
  const waiting: Group<Row>[] = [];
  let working: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
      await save([...group.rows.values()]).then(group.done.resolve, group.done.reject);
    working = null;
  };
  const begin = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // The rows may have gone with the write of others.
    if (waiting.length > 0) working ??= work();
  };
  const add = (row: Row): Promise<void> => {
    let group = waiting.at(-1);
    if (group === undefined || group.rows.size >= MOST_A_WRITE) {
      group = { rows: new Map(), done: Promise.withResolvers() };
      waiting.push(group);
    }
    group.rows.set(row.id, row);
    return group.done.promise;
  };
  return {
    put: (row) => {
      const stored = add(row);
      begin();
      return stored;
    },
    putSoon: (row) => {
      const stored = add(row);
      timer ??= setTimeout(begin, SOON_MS);
      return stored;
    },
    flush: async () => {
      begin();
      while (working !== null) await working;
    },
  };
}
