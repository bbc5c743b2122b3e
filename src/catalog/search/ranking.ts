/**
 * The numbers of the ranker, in one place. Tuned on one half of bench/search-queries.json, judged on the other
 * (decision 032). Those of the first group are baked into an index when it is built.
 */
export const RANKING = {
  /** BM25F: what a field's words weigh, how much its length counts, and how many words are usual. */
  fields: {
    name: { weight: 4, b: 0.5, usual: 3 },
    tags: { weight: 2, b: 0.3, usual: 4 },
    author: { weight: 1.5, b: 0, usual: 1 },
    ids: { weight: 1, b: 0.3, usual: 4 },
    description: { weight: 1, b: 0.5, usual: 24 },
  },
  k1: 1.2,
  /** A name's neighbouring words written as one, against the name's own words. */
  joined: 0.8,

  /** How much less a term counts that only stands for the one asked for. */
  stem: 0.9,
  prefix: 1,
  least_prefix: 3,
  most_prefixed: 16,
  synonym: 0.7,
  typo_1: 1,
  typo_2: 0.6,
  /** A term so rare may be a mistake if another, so many times as frequent, is near it. */
  rare: 1,
  times: 30,
  /** The same against what begins with it. */
  times_prefixed: 3,
  /**
   * A word that is not rare may be a mistake beside another one, if so many have its neighbour together with what was meant
   * there, and that many times as many as would by chance.
   */
  least_beside: 5,
  times_beside: 10,

  /** What neighbours of the query that are neighbours in a name add. */
  pair: 0.25,

  /** How much the share of the query that is matched counts. */
  coverage: 0.75,
  /** Names of which all is asked for, or that are asked for exactly. */
  name_covered: 0.4,
  exact_name: 0.6,
  id: 5,
  /** Of proof and popularity together: orders near equals. */
  prior: 0.15,
  /** Copies of one author's text that are let pass, and how steeply more of them count less. */
  copies: 4,
  copied: 0.7,
  /** The least share of the query's weight that makes a match: of one term all, of two this, of more by so much less. */
  least_share: 0.35,
  less_share: 0.03,
  never_less: 0.15,
};

export type Ranking = typeof RANKING;
export type Field = keyof Ranking['fields'];
export const FIELDS = Object.keys(RANKING.fields) as Field[];
