import type { CompiledQuery, OperationNode } from 'kysely';
import { defined } from '#core/defined.ts';
import type { RequestSpans } from '#core/telemetry/request-spans.ts';
import type { Database } from './open.ts';

/** Reports each statement to the span of its request: kind and table, never its text or values. */
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
        ...defined({ 'db.collection.name': table ?? undefined }),
      },
      began_ms,
      error_type: error === undefined ? undefined : failureType(error),
    });
  };
}

interface TableLike extends OperationNode {
  /** Present for an alias. */
  node?: TableLike;
  table?: TableLike & { identifier?: { name: string } };
  into?: TableLike;
  from?: { froms: readonly TableLike[] };
}

/** The first table in the query. Raw SQL and selections from subqueries have none. */
function tableOf(query: CompiledQuery['query']): string | null {
  const { into, table, from } = query as TableLike;
  const first = into ?? table ?? from?.froms[0];
  const named = first?.kind === 'AliasNode' ? first.node : first;
  return named?.kind === 'TableNode' ? (named.table?.identifier?.name ?? null) : null;
}

/** The database's error code, because messages contain values. */
function failureType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return (
    [code, name].find((value): value is string => typeof value === 'string' && /^\w{1,40}$/.test(value)) ?? 'unknown'
  );
}
