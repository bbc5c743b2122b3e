import type { Static } from 'typebox';
import { maybe } from '#catalog/sync/wire-types.ts';
import { Type } from '#core/json-schema/type.ts';

/** Docker's MCP catalog in two forms: entries of catalog.yaml v3, and server.yaml files of the source repository. */

// YAML reads an unquoted 1.0 as a number.
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

// Sanitized where it is used, so that an invalid value does not reject the record.
const Any = Type.Optional(Type.Unknown());

const Secret = Type.Object({ name: maybe(Type.String()), env: maybe(Type.String()), description: Any, example: Any });
const Variable = Type.Object({ name: Type.String(), value: maybe(Scalar), example: Any });
const Remote = Type.Object({
  url: maybe(Type.String()),
  transport_type: maybe(Type.String()),
  headers: maybe(Type.Record(Type.String(), Scalar)),
});

/** What a client needs to run an entry, in a common form. */
export const Runnable = Type.Object({
  image: maybe(Type.String()),
  remote: maybe(Remote),
  secrets: maybe(Type.Array(Secret)),
  env: maybe(Type.Array(Variable)),
  command: maybe(Type.Array(Scalar)),
  volumes: Any,
  allowHosts: Any,
  disableNetwork: Any,
  user: Any,
  /** JSON Schemas of variables such as `{{server.region}}`. */
  config: Any,
});
export type Runnable = Static<typeof Runnable>;

export const CatalogEntry = Type.Object({
  ...Runnable.properties,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  source: maybe(Type.String()),
  upstream: maybe(Type.String()),
  metadata: maybe(
    Type.Object({
      pulls: maybe(Type.Number()),
      githubStars: maybe(Type.Number()),
      category: maybe(Type.String()),
      tags: maybe(Type.Array(Scalar)),
      license: maybe(Type.String()),
      owner: maybe(Type.String()),
    }),
  ),
});
export type CatalogEntry = Static<typeof CatalogEntry>;

export const SourceEntry = Type.Object({
  name: Type.String(),
  image: maybe(Type.String()),
  meta: maybe(Type.Object({ category: maybe(Type.String()), tags: maybe(Type.Array(Scalar)) })),
  about: Type.Object({ title: maybe(Type.String()), description: maybe(Type.String()) }),
  source: maybe(
    Type.Object({ project: maybe(Type.String()), upstream: maybe(Type.String()), commit: maybe(Type.String()) }),
  ),
  remote: maybe(Remote),
  config: maybe(Type.Object({ secrets: maybe(Type.Array(Secret)), env: maybe(Type.Array(Variable)), parameters: Any })),
  run: maybe(
    Type.Object({
      command: maybe(Type.Array(Scalar)),
      volumes: Any,
      allowHosts: Any,
      disableNetwork: Any,
      user: Any,
      env: Any,
    }),
  ),
});
export type SourceEntry = Static<typeof SourceEntry>;

/** Entries by name. Each is validated separately. */
export const Catalog = Type.Object({ registry: Type.Record(Type.String(), Type.Unknown()) });
