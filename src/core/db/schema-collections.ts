/** The tables of 0065-collections.sql, column for column. */

export interface CollectionsSchema {
  collections: CollectionRow;
  collection_listings: { slug: string; capability_id: string; place: number };
}

export interface CollectionRow {
  slug: string;
  title: string;
  description: string;
  place: number;
  revision: string;
  created_at: string;
  updated_at: string;
}
