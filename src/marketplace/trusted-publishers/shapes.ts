import type { TrustedPublisherRow } from '#core/db/schema-publishing.ts';
import { Type } from '#core/json-schema/type.ts';
import { type Issuer, webOf } from './issuers.ts';

/** Schemas of trusted publishers, and their conversion from rows. */

const text = Type.String();
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const TrustedPublisher = Type.Object({
  id: text,
  issuer: Type.String({ description: 'Name of the CI service, such as `github`.' }),
  repository: text,
  workflow: text,
  environment: Type.String({ description: 'Empty: any, or none.' }),
  repository_url: text,
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: timeOrNull('When a job of it last got a publish token.'),
});

export function trustedOf(row: TrustedPublisherRow, issuers: readonly Issuer[]) {
  const { id, issuer: name, repository, workflow, environment, created_at, last_used_at } = row;
  const issuer = issuers.find((each) => each.name === name);
  const repository_url = issuer === undefined ? '' : `${webOf(issuer)}/${repository}`;
  return { id, issuer: name, repository, workflow, environment, repository_url, created_at, last_used_at };
}
