import type { CustomTypesConfig } from 'pg';

const INT8 = 20;
const NUMERIC = 1700;

type Builtins = { getTypeParser(oid: number, format?: 'text'): unknown };

/** Returns counts, sums and sequence numbers as numbers, as SQLite does. All are far below 2^53. */
export const typesOf = (builtins: Builtins): CustomTypesConfig => ({
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : builtins.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
});
