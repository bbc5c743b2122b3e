/**
 * The numbers of the ranking. They were tuned on one half of bench/search-queries.json and evaluated on the other (decision 032). The
 * first group is stored in an index when it is built.
 */
export const RANKING = {
  /** BM25F: the weight of a field's terms, how much its length matters, and its usual number of terms. */
  fields: {
    name: { weight: 4, b: 0.5, usual: 3 },
    tags: { weight: 2, b: 0.3, usual: 4 },
    author: { weight: 1.5, b: 0, usual: 1 },
    ids: { weight: 1, b: 0.3, usual: 4 },
    description: { weight: 1, b: 0.5, usual: 24 },
    contents: { weight: 0.5, b: 0.5, usual: 60 },
  },
  k1: 1.2,
  /** Neighbouring words of a name written as one, relative to the words themselves. */
  joined: 0.8,

  /** Weights of expansions, relative to the term itself. That of a longer word is also multiplied by the share it has in common. */
  stem: 0.9,
  prefix: 1,
  least_prefix: 3,
  most_prefixed: 16,
  synonym: 0.7,
  typo_1: 1,
  typo_2: 0.6,
  /**
   * What a misspelled word was meant to be: points that an edit costs, and a wrong first letter in edits; a word that sounds the same counts
   * as at most so many edits; points for an English word. Against the natural logarithm of how many documents have the word.
   */
  spelling: { edit: 5, first_letter: 0.5, alike: 0.5, consonants: 0.4, english: 1.5 },
  /** A term in at most this many documents may be misspelled, if a near term is this many times as frequent. */
  rare: 3,
  times: 30,
  /** And this many times as frequent as its forms and as longer words. */
  times_other: 3,
  /**
   * A term that is not rare may be misspelled beside another misspelled one, if at least this many documents have a near term together
   * with the correction of the other, and this many times as many as by chance.
   */
  least_beside: 5,
  times_beside: 10,

  /** A text of which fewer capabilities than this match is also read as another language. */
  few: 20,
  /**
   * The weight of a translation after the first. A word that is not translated and that fewer documents than so many have weighs at most
   * this share of one that is translated.
   */
  translation: 0.8,
  other_meaning: 0.85,
  least_name: 5,
  untranslated: 0.5,

  /** The share of its weight that a word has which says little, beside others. */
  weak: 0.4,

  /** What a capability without a description is worth where nothing is searched for: less than any with one. */
  undescribed: 1 / 256,

  /** Points for neighbours in the query that are neighbours in a name. */
  pair: 0.25,

  /** Exponent of the share of the query that a document matches. */
  coverage: 0.75,
  /**
   * Points for a name of which the query has all words, for the exact name with a signal that is costly to fake
   * (index/costly-signal.ts), and without one.
   */
  name_covered: 0.4,
  exact_name: 0.8,
  unproven_name: 0.1,
  /** From this quantile of its provider's downloads on, a capability is much used. */
  much_used: 0.9,
  id: 5,
  /** The most that proof and popularity add, as a factor. They only order near equals. */
  prior: 0.15,
  /** Of matches with one text, the original is shown if it has at least this share of the best one's score. */
  front: 0.9,
  /** Copies of an author's text that cost nothing, and the exponent by which more of them count less. */
  copies: 4,
  copied: 0.7,
  /** The least share of the query's weight that makes a match: for two terms, less for each further term, and the minimum. */
  least_share: 0.35,
  less_share: 0.03,
  never_less: 0.15,

  /**
   * With an operator's model: how many are the nearest by meaning, how many of both orders are fused, the constant of reciprocal rank
   * fusion, and how many a reranker orders.
   */
  fusion: { nearest: 100, first: 100, k: 10, reranked: 30 },
};

export type Field = keyof (typeof RANKING)['fields'];
export const FIELDS = Object.keys(RANKING.fields) as Field[];
