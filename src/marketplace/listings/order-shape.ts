import { Type } from '#core/json-schema/type.ts';
import { GivenFiles } from '#runtime/skills/checks/given-files.ts';

/** Input of publishing, for REST and the tool. */
export const PUBLISH_ORDER = {
  name: Type.String({
    minLength: 3,
    maxLength: 200,
    description:
      '`publisher/name`. The first account to publish under a publisher name owns it. The name must match the files.',
  }),
  version: Type.String({ minLength: 1, maxLength: 200, description: 'SemVer, such as 1.0.0.' }),
  license: Type.String({ minLength: 1, maxLength: 200, description: 'SPDX expression, such as MIT.' }),
  files: GivenFiles,
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 40, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }), {
      maxItems: 20,
      description: 'Search keywords.',
    }),
  ),
  claim: Type.Optional(
    Type.Object(
      {
        wallet_type: Type.String({ maxLength: 40, description: 'ethereum or solana.' }),
        wallet_address: Type.String({ maxLength: 200, description: 'A wallet linked to your account.' }),
        signature: Type.String({ maxLength: 20_000, description: 'Signature on claim_text.' }),
      },
      {
        additionalProperties: false,
        description: 'Owner’s signature. If omitted, the version is published unclaimed.',
      },
    ),
  ),
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Validate and return claim_text and findings without publishing.' }),
  ),
};
