/** The numbers of the ranking of tools. They were tuned on one half of bench/tool-requests.json and evaluated on the other. */
export const TOOL_RANKING = {
  /** As in `RANKING.fields`. The name comes first. */
  fields: {
    name: { weight: 2.1, b: 0.5, usual: 0.9 },
    title: { weight: 1, b: 0.5, usual: 3 },
    server: { weight: 0.5, b: 0.3, usual: 1.5 },
    /** The description up to where it describes arguments, and the rest. */
    summary: { weight: 2, b: 0.95, usual: 20 },
    details: { weight: 0.4, b: 0.7, usual: 40 },
    arguments: { weight: 0.6, b: 0.5, usual: 3 },
    explained: { weight: 0.3, b: 0.5, usual: 25 },
  },
  synonym: 0.7,
  /** How much words count that most requests have. */
  weak: 0.4,
  /** Exponent of the share of the request that a tool matches. */
  coverage: 0.5,
  /** Points for a name of which the request has all words. */
  name_covered: 0.3,
  /** The least share of the request's weight that makes a match: for two terms, less for each further term, and the minimum. */
  least_share: 0.3,
  less_share: 0.04,
  never_less: 0.12,
};

export type ToolField = keyof (typeof TOOL_RANKING)['fields'];
export const TOOL_FIELDS = Object.keys(TOOL_RANKING.fields) as ToolField[];
