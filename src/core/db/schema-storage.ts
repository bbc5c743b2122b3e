/** The tables of 0028-storage.sql, column for column. */

export interface StorageSchema {
  storage_usage: StorageUsageRow;
  storage_deltas: StorageUsageRow;
}

interface StorageUsageRow {
  user_id: string;
  kind: string;
  bytes: number;
}
