import type { CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Statements that are built once. Building one takes the thread longer than SQLite takes to answer it, and some are part of every
 * call.
 */

/** Values by name. Each is used as a parameter of the statement, so that it has a place there. */
type Values = Readonly<Record<string, unknown>>;

interface Prepared<Row> {
  query: CompiledQuery<Row>;
  /** The name of the value at each place; null for a constant of the statement. */
  names: (string | null)[];
}

/**
 * `build` is called once for each database, with texts in place of the values: it must not look at them. Answers the function that
 * runs the statement.
 */
export function prepared<V extends Values, Row>(
  names: readonly (keyof V & string)[],
  build: (db: Kysely<Schema>, values: V) => { compile(): CompiledQuery<Row> },
): (db: Kysely<Schema>, values: V) => Promise<Row[]> {
  const known = new WeakMap<object, Prepared<Row>>();
  return async (db, values) => {
    // A transaction is another database object, and ends soon.
    const made = known.get(db) ?? prepare(db, names, build);
    if (!db.isTransaction) known.set(db, made);
    const { query, names: places } = made;
    const parameters = places.map((name, at) => (name === null ? query.parameters[at] : values[name]));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}

const MARK = 'value of ';

function prepare<V extends Values, Row>(
  db: Kysely<Schema>,
  names: readonly (keyof V & string)[],
  build: (db: Kysely<Schema>, values: V) => { compile(): CompiledQuery<Row> },
): Prepared<Row> {
  const marks = new Map<unknown, string>(names.map((name) => [`${MARK}${name}`, name]));
  const query = build(db, Object.fromEntries(names.map((name) => [name, `${MARK}${name}`])) as V).compile();
  const places = query.parameters.map((parameter) => marks.get(parameter) ?? null);
  const missing = names.find((name) => !places.includes(name));
  if (missing !== undefined) throw new Error(`The statement has no parameter for ${missing}.`);
  return { query, names: places };
}
