/** The table of 0058-search-vectors.sql, column for column. */

export interface SearchSchema {
  search_vectors: {
    capability_id: string;
    space: string;
    digest: string;
    vector: string;
    seq: number;
  };
}
