import { showViolations } from '#catalog/checks/violation-list.ts';
import type { ListingType } from '#catalog/items/kinds.ts';
import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { Next, nextText } from '#core/tools/words.ts';
import { publish as publishVersion } from '#marketplace/publishing/publish-version.ts';
import { publishingBy } from '#marketplace/publishing/publishing-by.ts';
import type { MarketplaceDeps } from '../deps.ts';
import { ORDER_EXAMPLE } from '../examples.ts';
import { PUBLISH_ORDER } from '../order-shape.ts';
import { RUNS } from '../runs.ts';

const text = Type.String();

export const publish = (deps: MarketplaceDeps) =>
  tool({
    name: 'publish',
    title: 'Publish a capability',
    description:
      'Publish the files of a skill, harness or rig as a version of a public listing. Start with ' +
      'dry_run: it returns the findings and the claim text for a wallet to sign. Versions are immutable, and ' +
      'findings are public. Names that resemble known ones are rejected.',
    scope: 'write',
    input: Type.Object(PUBLISH_ORDER, { additionalProperties: false }),
    output: Type.Object({
      published: Type.Boolean(),
      id: Type.Union([text, Type.Null()]),
      name: text,
      version: text,
      digest: text,
      listing_type: text,
      execution_class: text,
      claim_text: text,
      claimed: Type.Boolean(),
      findings: Type.Integer(),
      next: Next,
    }),
    annotations: { read_only: false, destructive: false, idempotent: false, open_world: false },
    example: ORDER_EXAMPLE,
    run: async (order, call) => {
      const { id, checked, claim, claim_text } = await publishVersion(deps, publishingBy(call), order);
      const { name, version } = order;
      const { digest, listing_type, execution_class, findings } = checked;
      const next = nextOf(id, listing_type, version);
      const structured = {
        published: id !== null,
        id,
        name,
        version,
        digest,
        listing_type,
        execution_class,
        claim_text,
        claimed: claim !== null,
        findings: findings.length,
        next,
      };
      const head =
        id === null
          ? `Dry run of ${name} ${version}; nothing was published.`
          : `Published ${name} ${version}, id ${id}.`;
      const lines = [`${head} ${digest}`, showViolations(listing_type, findings)];
      if (claim === null)
        lines.push('Unclaimed: to claim it, sign claim_text with a linked wallet and send it as claim.');
      return { structured, text: [...lines, `Next: ${nextText(next)}`].join('\n') };
    },
  });

function nextOf(id: string | null, listingType: ListingType, version: string): Next {
  if (id === null) return { tool: 'publish', arguments: { dry_run: false } };
  const { input } = RUNS[listingType];
  return { tool: 'task_create', arguments: { capability: { kind: 'capability', ref: id, version }, input } };
}
