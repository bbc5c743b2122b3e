import type { ChangedCapability } from '#catalog/identity/capabilities.ts';
import type { Connection } from '#core/db/connection.ts';
import type { CapabilityDocument } from '../index/document.ts';

/** A capability as it is now. Its document is null if it is not shown, or no longer. */
export interface DocumentChange {
  id: string;
  document: CapabilityDocument | null;
}

type Db = Pick<Connection, 'query'>;

/** Reads documents from the database. The marketplace implements it; the thread that builds the index calls it. */
export interface DocumentSource {
  /** Numbers of the newest change of capabilities and of published listings. */
  newest(db: Db): Promise<{ seq: number; published: number }>;
  documents(db: Db, capabilities: readonly Pick<ChangedCapability, 'id' | 'members'>[]): Promise<DocumentChange[]>;
  /** Capabilities of what was published or withdrawn after a change, linked to others or not, and up to another one if given. */
  published(db: Db, since: number, until?: number): Promise<DocumentChange[]>;
  /** Skills that the service itself ships. They have no row, so no change number covers them. */
  builtIn(db: Db): Promise<DocumentChange[]>;
}
