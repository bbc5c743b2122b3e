/** The tables of 0058-search-vectors.sql and 0060-search-tool-vectors.sql, column for column. */

export interface SearchSchema {
  search_vectors: {
    capability_id: string;
    space: string;
    digest: string;
    vector: string;
    seq: number;
  };
  search_tool_vectors: {
    capability_id: string;
    tool: string;
    space: string;
    digest: string;
    vector: string;
    seq: number;
  };
}
