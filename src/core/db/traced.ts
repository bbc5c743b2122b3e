import type { CompiledQuery, OperationNode } from 'kysely';
import type { RequestSpans } from '#core/telemetry/request-spans.ts';
import type { Database } from './open.ts';

/** Each statement is told to the span of the request that makes it: its kind and its table, never its text or its values. */
export function traceStatements({ meter, engine }: Pick<Database, 'meter' | 'engine'>, spans: RequestSpans): void {
  const system = engine === 'postgres' ? 'postgresql' : engine;
  meter.onStatement = ({ query }, kind, began_ms, error) => {
    const table = tableOf(query);
    const operation = kind === 'other' ? 'OTHER' : kind.toUpperCase();
    spans.asked({
      name: table === null ? operation : `${operation} ${table}`,
      attributes: {
        'db.system.name': system,
        'db.operation.name': operation,
        ...(table === null ? {} : { 'db.collection.name': table }),
      },
      began_ms,
      error_type: error === undefined ? undefined : failureType(error),
    });
  };
}

interface TableLike extends OperationNode {
  /** Of an alias. */
  node?: TableLike;
  table?: TableLike & { identifier?: { name: string } };
  into?: TableLike;
  from?: { froms: readonly TableLike[] };
}

/** The first that it names. What is written as SQL has none that can be read, nor has a selection of selections. */
function tableOf(query: CompiledQuery['query']): string | null {
  const { into, table, from } = query as TableLike;
  const first = into ?? table ?? from?.froms[0];
  const named = first?.kind === 'AliasNode' ? first.node : first;
  return named?.kind === 'TableNode' ? (named.table?.identifier?.name ?? null) : null;
}

/** A database's own code; messages hold values. */
function failureType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return (
    [code, name].find((value): value is string => typeof value === 'string' && /^\w{1,40}$/.test(value)) ?? 'unknown'
  );
}
