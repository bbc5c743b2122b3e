import { type ErrorTable, problemOf } from '#core/problem/error-table.ts';

/** The error codes of this wing. Their pages, `docs/errors`, are generated from here: `npm run capstand -- schema --write`. */
export const MARKETPLACE_ERRORS = {
  'marketplace.capability_invalid': {
    kind: 'unprocessable',
    title: 'The request names a capability or listings that it cannot be applied to.',
    why: 'Ids are case-sensitive, and a listing must be a member of the capability.',
    fix: 'Read `sources` in `GET /api/marketplace/listings/{id}`.',
    example: {
      detail: 'Its listings belong to several accounts. Name the affected ones in listings, or send "whole": true.',
      reason: 'listings_required',
    },
    members: {
      listings: 'Members of the capability (`listings_required`).',
    },
    reasons: {
      listings_required: {
        why:
          'The request must name the affected listings. The capability has listings of several accounts, and no ' +
          'report says which are affected. Or a named listing is not a member.',
        fix: 'Send `listings` (the response lists the members), or `"whole": true` for all.',
        aliases: ['marketplace.listings_wanted'],
      },
      unknown: {
        why:
          'The request names an unknown capability or a listing that is not a member of it. Ids are ' +
          'case-sensitive. Listings removed by their provider are not members.',
        fix: 'Read `sources` in `GET /api/marketplace/listings/{id}`.',
        aliases: ['marketplace.capability_unknown'],
      },
    },
  },
  'marketplace.claim_conflict': {
    kind: 'conflict',
    title: 'The claim cannot be verified in this state.',
    why: 'It has ended, or another account holds a claim that the repository confirms.',
    fix: 'Create a new claim, or remove the other entry from the claim file.',
    example: { detail: 'This claim is expired. Create a new claim.', reason: 'ended' },
    reasons: {
      ended: {
        why: 'The claim has ended. It was revoked, lapsed, was replaced, or was not verified within seven days.',
        fix: 'Create a new claim with `POST /api/marketplace/listings/{id}/claims`.',
        aliases: ['marketplace.claim_ended'],
      },
      held: {
        why:
          'Another account holds a claim on this capability, and the repository still confirms it. A capability ' +
          'has one owner, determined by the repository. Its claim file still names the other account.',
        fix:
          'Remove their entry from the file, then verify again. The other claim ends, and the change is recorded ' +
          'in the history.',
        aliases: ['marketplace.claim_held'],
      },
    },
  },
  'marketplace.claim_invalid': {
    kind: 'unprocessable',
    title: 'The claim could not be created or verified.',
    why: 'The repository does not confirm it, or the request lacks something. The claim is unchanged.',
    fix: '`reason` says what is missing; see below.',
    example: {
      detail: 'The claim file is missing. Expected at https://raw.example.com/ada/weather/main/capstan.txt.',
      reason: 'file_missing',
    },
    reasons: {
      file_missing: {
        why:
          'The claim file is missing or does not contain the claim. The file is fetched from the default branch, ' +
          "at the URL in the message. It must contain the claim's exact capability, publisher and token (or " +
          'wallet). Hosts may cache an old copy for several minutes after a push. Private repositories cannot be ' +
          'read.',
        fix:
          'Add the content in `file` of the claim, push it to the default branch, wait five minutes and verify ' +
          'again.',
        aliases: ['marketplace.claim_file_absent'],
      },
      folder_required: {
        why:
          'The claim requires the folder of the skill. The repository has several listings, and the provider ' +
          'does not report the folder of this one.',
        fix: 'Send `folder`, the repository path that contains its SKILL.md, such as `skills/words`.',
        aliases: ['marketplace.claim_folder_needed'],
      },
      no_repository: {
        why:
          'This capability cannot be claimed with a repository file. None of its listings has a repository on ' +
          'GitHub or GitLab, or the repository has several listings and the folder of this one is unknown. A ' +
          'claim on the whole repository would cover the others.',
        fix: 'Ask the provider to list the repository, and the folder if there are several listings.',
        aliases: ['marketplace.claim_place_unclear'],
      },
      signature: {
        why:
          "The claim's signature is invalid. The wallet signed a different digest, name or version, or text with " +
          'an extra line feed, or the address belongs to another wallet.',
        fix:
          'Send the request with `dry_run: true`, sign `claim_text` exactly as returned, and send the signature ' +
          'in `claim`.',
        aliases: ['marketplace.claim_refused'],
      },
      signature_required: {
        why: 'A wallet claim requires a signature. The request has no `signed`.',
        fix:
          'Sign `claim_text` exactly as returned, with a wallet that is linked to your account and named in the ' +
          'file. Send `signed: {wallet_type, wallet_address, signature}`.',
        aliases: ['marketplace.claim_signature_needed'],
      },
      skill_differs: {
        why: "The claim's folder does not contain the listed skill. SKILL.md is missing or has another `name`.",
        fix: 'Claim again with the correct `folder`.',
        aliases: ['marketplace.claim_skill_differs'],
      },
    },
  },
  'marketplace.collection_conflict': {
    kind: 'conflict',
    title: 'The collection does not allow this change.',
    why: 'Another operator changed the collection after you read it, or its name is taken.',
    fix: 'Read `GET /api/marketplace/collections/{slug}`, and retry with its `revision`.',
    example: { detail: 'A collection with this name exists already.', reason: 'exists' },
    reasons: {
      changed: {
        why: 'The collection has another revision than the one you sent: another operator may have changed it first.',
        fix: 'Read the collection again, and decide on its current state.',
      },
      exists: {
        why: 'The request has no revision, so it would create a collection, but one with this name exists.',
        fix: 'Choose another name, or send the revision of the existing one to change it.',
      },
      too_many: {
        why: 'The limit of 100 collections has been reached.',
        fix: 'Remove one first.',
      },
    },
  },
  'marketplace.files_invalid': {
    kind: 'unprocessable',
    title: 'The files of the version cannot be published or used.',
    why: 'They break the format, or the stored bytes do not match the digest of the version.',
    fix: '`capstand validate DIR` and the tools `skill_validate` and `harness_validate` run the same checks.',
    example: { detail: 'SKILL.md has no description.', reason: 'format' },
    members: {
      findings: 'Each error with its file and line (`format`).',
    },
    reasons: {
      format: {
        why:
          'The files are not a valid skill, harness or rig. The files violate the format. `findings` and ' +
          '`errors` give each location. Warnings, such as a secret or a dangerous command, do not cause this ' +
          'error; they are published with the version.',
        fix:
          'Fix the listed errors. `capstan validate DIR` and the tools `skill_validate` and `harness_validate` ' +
          'run the same checks.',
        aliases: ['marketplace.files_unfit'],
      },
      stored_files_differ: {
        why:
          'The stored files do not match the digest of this version. The database was damaged or modified. The ' +
          'files cannot be downloaded or run.',
        fix: 'Report this to the operator, who can restore a backup. Publish the files as a higher version.',
        aliases: ['marketplace.stored_files_differ'],
      },
    },
  },
  'marketplace.forbidden': {
    kind: 'forbidden',
    title: 'Your account may not do this with the listing.',
    why: 'Listings are changed by their publisher, their claim owner or an operator.',
    fix: 'Sign in with the account that owns the listing, or claim it.',
    example: { detail: 'Only its publisher, or an operator, may change this listing.', reason: 'publisher_only' },
    reasons: {
      claim_wallet: {
        why:
          "The claim's wallet is not linked to your account. Only a wallet of the publishing account can claim a " +
          'version.',
        fix: 'Link the wallet, sign with a linked wallet, or omit `claim` to publish the version unclaimed.',
        aliases: ['marketplace.claim_other_wallet'],
      },
      held_by_operator: {
        why:
          'An operator withdrew this version, so its publisher cannot restore it. An operator yanked or ' +
          'deprecated it. The reason is in `history` of the listing.',
        fix: 'Publish a higher version that fixes the problem, or contact the operator.',
        aliases: ['marketplace.held_by_operator'],
      },
      owner_only: {
        why:
          'Only the publisher or claim owner can do this. Your account neither published nor claimed the ' +
          'capability.',
        fix:
          'If it is yours, claim it with `POST /api/marketplace/listings/{id}/claims`. You can claim it after a ' +
          'takedown as well.',
        aliases: ['marketplace.not_owner'],
      },
      publisher_only: {
        why: 'The listing belongs to another publisher. Only its publisher or an operator can change its status.',
        fix: 'Sign in with the account that published it.',
        aliases: ['marketplace.not_yours'],
      },
    },
  },
  'marketplace.gone': {
    kind: 'gone',
    title: 'The listing, or this version of it, is no longer available.',
    why:
      'Its providers removed it, its publisher withdrew it, or operators took it down. Receipts of its runs ' +
      'remain verifiable.',
    fix: 'Search for another capability. `tombstone` has what is left.',
    example: {
      detail: 'Version yanked: "leaks a key". To get pinned files, send ?digest=sha256:….',
      reason: 'version_yanked',
    },
    members: {
      tombstone: 'What is left: names, versions, digests, times, and the decision where operators removed it.',
    },
    reasons: {
      removed: {
        why:
          'No provider lists this capability any longer. Its providers removed it. `tombstone` names them and ' +
          'the time of removal. Receipts of its runs remain verifiable.',
        fix: 'Search for another capability. If a provider lists it again, its id works again.',
        aliases: ['marketplace.capability_gone'],
      },
      taken_down: {
        why:
          'The operators of this service took this listing down. `tombstone.taken_down` has the kind, rule, ' +
          'reason and time. The listing is excluded from lists, searches and runs, and no new versions are ' +
          'accepted. A capability merged into it is affected as well.',
        fix:
          'Use another capability. If it is yours, read `GET /api/marketplace/listings/{id}/moderation` and ' +
          'appeal with `POST /api/marketplace/listings/{id}/appeals`.',
        aliases: ['marketplace.listing_taken_down'],
      },
      unpublished: {
        why:
          'The listing was unpublished. Its publisher or an operator withdrew it. `tombstone` has the reason, ' +
          'versions and digests. Receipts of its runs remain verifiable.',
        fix: 'Use another listing. If you are its publisher, publish a higher version to restore it.',
        aliases: ['marketplace.listing_unpublished'],
      },
      version_yanked: {
        why:
          'The version was yanked. The publisher gives the reason. Yanked versions are available only to clients ' +
          'that pinned the digest.',
        fix: 'Use the latest version. If you pinned this one, add `?digest=sha256:…` with the pinned digest.',
        aliases: ['marketplace.version_yanked'],
      },
    },
  },
  'marketplace.limit_exceeded': {
    kind: 'quota_exceeded',
    title: 'Your account has reached a limit of the marketplace.',
    why:
      'Listings, versions in 24 hours, bytes and reports are limited. `detail` names the limit. Operators set ' +
      'these limits.',
    fix: 'Retry after `Retry-After` seconds if present, or unpublish listings that you no longer need.',
    example: { detail: 'An account may send 20 reports in 24 hours.', reason: 'reports', retry_after: 3600 },
    reasons: {
      publishing: {
        why:
          'Your account has reached a publishing limit. Listings, versions in 24 hours and bytes are limited. ' +
          '`detail` names the limit. Operators set these limits.',
        fix: 'Wait for `Retry-After` if present, or unpublish listings that you no longer need.',
        aliases: ['marketplace.too_many'],
      },
      reports: {
        why:
          'Your account has reached the report limit for 24 hours. Operators set the limit with ' +
          '`CAPSTAN_REPORTS_PER_DAY`.',
        fix: 'Retry after `Retry-After`.',
        aliases: ['marketplace.too_many_reports'],
      },
    },
  },
  'marketplace.moderation_conflict': {
    kind: 'conflict',
    title: 'The moderation state does not allow this.',
    why: 'Another decision was made, or the action, report, appeal or finding that the request needs does not exist.',
    fix: 'Read `GET /api/marketplace/listings/{id}/moderation`, and retry with its `revision`.',
    example: {
      detail: 'Stale revision. Reload the moderation state and retry with the current revision.',
      reason: 'stale',
    },
    members: {
      revision: 'Current revision (`stale`).',
      last: 'Last decision (`stale`).',
      report_id: 'Your open report (`report_open`).',
      measure_id: 'The active action (`action_active`).',
    },
    reasons: {
      action_active: {
        why:
          'A moderation action is already active for this capability. A takedown, or a flag of the same kind, ' +
          'can be active only once. Flagged or taken-down capabilities cannot be featured.',
        fix: 'Read the active actions. Lift the action before adding another.',
        aliases: ['marketplace.measure_stands'],
      },
      appealed: {
        why:
          'This action has already been appealed. Only one appeal per moderation action is allowed. The history ' +
          "shows the operators' response.",
        fix: 'Read `outcome` in `GET /api/marketplace/appeals`. Send new facts directly to the operators.',
        aliases: ['marketplace.appeal_made'],
      },
      no_appeal: {
        why: 'No open appeal for this action. The action was not appealed, or the appeal was already decided.',
        fix: 'Read `GET /api/marketplace/appeals?status=open`. To end an action without an appeal, decide `lift`.',
        aliases: ['marketplace.no_open_appeal'],
      },
      no_finding: {
        why:
          'No finding to overrule or reinstate. The current listings have no findings, or `reinstate` names ' +
          'listings without an overruled finding. A new version, record or tool change is evaluated again.',
        fix: 'Read `verification.findings` and `verification.upstream` of the capability, then retry.',
        aliases: ['marketplace.nothing_found'],
      },
      no_listing: {
        why:
          'All listings of the capability were removed. Their providers no longer list them, or they were ' +
          'unpublished.',
        fix: 'Feature another capability.',
        aliases: ['marketplace.not_shown'],
      },
      no_report: {
        why: 'The capability has no open report. Another operator closed them, or nobody reported it.',
        fix: 'Nothing to dismiss. `flag` and `takedown` do not require a report.',
        aliases: ['marketplace.nothing_open'],
      },
      report_open: {
        why:
          'You already have an open report on this capability. Each account can have one open report per ' +
          'capability. `report_id` is its id.',
        fix: 'Wait for its `outcome`.',
        aliases: ['marketplace.report_open'],
      },
      stale: {
        why:
          'Stale revision: another decision was made in the meantime. Of two concurrent decisions only one ' +
          'succeeds. `last` is that decision and `revision` the current revision.',
        fix: 'Reload `GET /api/marketplace/listings/{id}/moderation` and retry with the current `revision`.',
        aliases: ['marketplace.decided_meanwhile'],
      },
    },
  },
  'marketplace.name_conflict': {
    kind: 'conflict',
    title: 'The name cannot be used.',
    why:
      'Names must not be confused with others. The first account to publish under a name owns it, and an account ' +
      'has one publisher name.',
    fix: 'Choose another name. `conflict` has the name that it conflicts with.',
    example: { detail: 'The publisher name "ada" is taken. Choose another one.', reason: 'taken' },
    members: {
      conflict: 'The other name with its source.',
    },
    reasons: {
      alike: {
        why:
          'The name can be confused with an existing one. It differs from `conflict` only in case, hyphens, ' +
          'look-alike letters or digits, or, for a well-known name, in one letter.',
        fix: 'Choose a clearly different name. If you own the well-known name, ask the operator to publish it.',
        aliases: ['marketplace.name_alike'],
      },
      publisher_differs: {
        why:
          'Your account has another publisher name. An account has one publisher name, set by its first ' +
          'publication.',
        fix: 'Publish under the name in `detail`.',
        aliases: ['marketplace.publisher_differs'],
      },
      reserved: {
        why:
          'The publisher name is reserved or resembles a reserved name. Names of this service, of providers and ' +
          'of roles would be misleading.',
        fix: 'Choose another publisher name.',
        aliases: ['marketplace.name_reserved'],
      },
      taken: {
        why:
          'The publisher name belongs to another account. The first account to publish under a name owns it ' +
          'permanently, even after the account is deleted.',
        fix: 'Choose another publisher name.',
        aliases: ['marketplace.name_taken'],
      },
    },
  },
  'marketplace.not_found': {
    kind: 'not_found',
    title: 'The marketplace has nothing with this id.',
    why: 'The id is wrong, or belongs to another account.',
    fix: 'Take ids from `GET /api/marketplace/listings`, a search, or the list of your own claims and reports.',
    members: { nearest: 'Up to three names that may be meant, as `ref` and `name`, best first.' },
    example: {
      detail: 'Listing not found. Search for it, or take the id from GET /api/marketplace/listings.',
      reason: 'listing',
    },
    reasons: {
      action: {
        why: 'Active moderation action not found. It was lifted, or it belongs to another capability.',
        fix: 'Take `measures[].id` from `GET /api/marketplace/listings/{id}/moderation`.',
        aliases: ['marketplace.measure_not_found'],
      },
      capability: {
        why:
          'Capability not found. The id is not in `GET /api/marketplace/listings`. New listings of providers get ' +
          'a capability within a few minutes.',
        fix: 'Take the id from a list, or from `capability_id` of the listing in the registry.',
        aliases: ['marketplace.capability_not_found'],
      },
      claim: {
        why: 'Claim not found. The capability has no such claim, or it belongs to another account.',
        fix: 'List your claims with `GET /api/marketplace/listings/{id}/claims` and your token.',
        aliases: ['marketplace.claim_not_found'],
      },
      collection: {
        why: 'No collection has this name.',
        fix: 'List them with `GET /api/marketplace/collections`.',
      },
      featured: {
        why:
          'The capability is not featured by an operator. Capabilities featured by proof cannot be removed ' +
          'manually.',
        fix: 'Check `reason.kind` in `GET /api/marketplace/featured`.',
        aliases: ['marketplace.not_featured'],
      },
      file: {
        why: 'File not found in this version. Paths are case-sensitive and must not contain `./` or `..`.',
        fix: 'Take the path from `files` of the version.',
        aliases: ['marketplace.file_not_found'],
      },
      listing: {
        why: 'Listing not found. The id is wrong, or it is a registry id, which begins with a provider.',
        fix: 'Use `GET /api/marketplace/listings` or search.',
        aliases: ['marketplace.not_found'],
      },
      proof: {
        why:
          'No runs of this subject within the last 90 days. It never ran, its runs are older, or the name ' +
          'differs from the one in receipts.',
        fix:
          'Use `skill/<name>`, `listing/<provider>/<external_id>` or `capability/<id>`. Ids are case-sensitive. ' +
          '`verification.evidence` of a listing has the path. After a run, the evidence appears in a moment.',
        aliases: ['marketplace.proof_not_found'],
      },
      publisher: {
        why: 'Publisher not found. The id or name is wrong, or the account was deleted.',
        fix: 'Take the id from `publisher` of a listing.',
        aliases: ['marketplace.publisher_not_found'],
      },
      report: {
        why: 'Report not found. The id is wrong, or the report belongs to another account.',
        fix: 'List your reports with `GET /api/marketplace/reports`.',
        aliases: ['marketplace.report_not_found'],
      },
      trusted_publisher: {
        why: 'Trusted publisher not found. The id is wrong, or it was removed before.',
        fix: 'List them with `GET /api/marketplace/listings/{id}/trusted-publishers`.',
      },
      version: {
        why: 'Version not found. The version is wrong or was never published.',
        fix: 'Check `versions` of the listing.',
        aliases: ['marketplace.version_not_found'],
      },
    },
  },
  'marketplace.operator_required': {
    kind: 'forbidden',
    title: 'Operator role required.',
    why: 'The role is granted on the server. It is not a tier or a scope.',
    fix: 'On the server, run `capstand users grant-operator USER`.',
    example: { detail: 'Operator role required. On the server, run: capstand users grant-operator USER' },
    aliases: ['marketplace.operators_only'],
  },
  'marketplace.trust_invalid': {
    kind: 'forbidden',
    title: 'The CI job may not publish this listing.',
    why: 'Its identity token was not accepted, or no trusted publisher of the listing matches it.',
    fix: 'Compare the trusted publishers of the listing with the repository, workflow and environment in `detail`.',
    example: {
      detail: 'The identity token has expired. Request a new one in the job, right before publishing.',
      reason: 'token_expired',
    },
    reasons: {
      issuer_unknown: {
        why: 'The identity token is from a CI service that this service does not accept.',
        fix: 'Use one of `GET /api/marketplace/publishing/issuers`, or ask the operator to add it to `CAPSTAN_TRUSTED_ISSUERS`.',
      },
      no_match: {
        why:
          'No trusted publisher of the listing has this repository, workflow and environment, or the repository ' +
          'belongs to another account than when it was first used.',
        fix: 'Its publisher adds the workflow with `capstan trust add`, or on its page under Publishing.',
      },
      publish_token_invalid: {
        why: 'The publish token is for another listing.',
        fix: 'Exchange an identity token for this listing, and publish with it.',
      },
      token_audience: {
        why: 'The identity token was made for another service.',
        fix: 'Request it with the audience of `GET /api/marketplace/publishing/issuers`.',
      },
      token_expired: {
        why: 'The identity token has expired. CI services issue them for a few minutes.',
        fix: 'Request it in the job, right before publishing.',
      },
      token_invalid: {
        why:
          'The identity token is malformed, its signature is wrong, its key is unknown, or it does not say which ' +
          'workflow asked for it.',
        fix: 'Send the token of the CI service unchanged. The job needs the permission `id-token: write`.',
      },
      token_reused: {
        why: 'The identity token was exchanged before. Each is accepted once.',
        fix: 'Request a new one.',
      },
    },
  },
  'marketplace.version_conflict': {
    kind: 'conflict',
    title: 'The version conflicts with what is published.',
    why: 'Versions are immutable, and a listing keeps the type of its first version.',
    fix: 'Read `versions` of the listing, and publish a higher version.',
    example: {
      detail:
        'ada/weather already has version 1.0.0 with other files. Versions are immutable: publish a higher ' +
        'version.',
      reason: 'exists',
    },
    members: {
      digest: 'Digest of the existing version (`exists`, `digest_differs`).',
    },
    reasons: {
      digest_differs: {
        why:
          "The version's digest does not match the requested digest. Versions are immutable, so the pinned " +
          '`digest` belongs to another version or listing.',
        fix: 'Compare it with the `digest` of the version. Do not run a version that you did not pin.',
        aliases: ['marketplace.digest_differs'],
      },
      exists: {
        why:
          'The version already exists. Versions are immutable, including yanked and unpublished ones. `digest` ' +
          'is the digest of the existing version.',
        fix: 'Publish a higher version.',
        aliases: ['marketplace.version_exists'],
      },
      status_unchanged: {
        why:
          'The status does not change. The version already has this status or a stronger one, in the order live, ' +
          'deprecated, yanked, unpublished. Only deprecated and yanked versions can be restored.',
        fix: 'Check `versions` of the listing.',
        aliases: ['marketplace.status_unchanged'],
      },
      type_differs: {
        why:
          'The listing has a different type than these files. A listing keeps the type of its first version: ' +
          'skill, harness or rig.',
        fix: 'Publish the files under another name.',
        aliases: ['marketplace.type_differs'],
      },
    },
  },
} as const satisfies ErrorTable;

/** `throw marketplaceProblem('marketplace.capability_invalid', …)`: a failure with one of these codes. */
export const marketplaceProblem = problemOf(MARKETPLACE_ERRORS);
