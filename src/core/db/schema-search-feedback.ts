/** The tables of 0059-search-feedback.sql and 0064-recent-searches.sql, column for column. Days are UTC: `2026-11-20`. */

export interface SearchFeedbackSchema {
  search_days: {
    day: string;
    /** Null once the day is over. */
    salt: string | null;
    /** Searches that were counted, whatever their queries. */
    searches: number;
  };
  search_voices: { day: string; voice: string };
  search_queries: {
    day: string;
    query_key: string;
    /** Null until enough people have searched for it. */
    query: string | null;
    searches: number;
    /** How many results it had, when it was last looked at. */
    results: number | null;
  };
  search_recent: { name: string; query: string; at: string; sealed: string };
  search_choices: {
    day: string;
    query_key: string;
    capability_id: string;
    /** `opened`, `installed` or `run`. */
    kind: string;
    /** In the order of results, from 1. */
    position: number;
    choices: number;
  };
}
