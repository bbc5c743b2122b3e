import { tokenInvalid } from '#accounts/auth/refusals.ts';
import { quoted } from '#catalog/checks/violation.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type MARKETPLACE_ERRORS, marketplaceProblem } from '#marketplace/errors.ts';
import type { Issuer } from './issuers.ts';
import type { Workload } from './workload.ts';

/** Errors of publishing from CI. A token is never part of them. */

type Reason = keyof (typeof MARKETPLACE_ERRORS)['marketplace.trust_invalid']['reasons'];

const refused = (reason: Reason, detail: string): Problem =>
  marketplaceProblem('marketplace.trust_invalid', detail, { reason });

export const tokenMalformed = (why: string): Problem =>
  refused('token_invalid', `The identity token was not accepted: ${why}.`);

export const tokenOld = (): Problem =>
  refused('token_expired', 'The identity token has expired. Request a new one in the job, right before publishing.');

export const tokenForOthers = (audience: string): Problem =>
  refused('token_audience', `The identity token is for another service. Request it with the audience ${audience}.`);

export const tokenUsed = (): Problem =>
  refused('token_reused', 'The identity token was used before. Request a new one for each publication.');

export const issuerUnknown = (issuers: readonly Issuer[]): Problem =>
  refused(
    'issuer_unknown',
    `The identity token is from an issuer that this service does not accept. It accepts ${issuers.map(({ name }) => name).join(', ')}.`,
  );

export const noMatch = (listing: string, { repository, workflow, environment }: Workload): Problem =>
  refused(
    'no_match',
    `${quoted(listing)} does not trust ${quoted(repository)} with the workflow ${quoted(workflow)}` +
      `${environment === '' ? ' and no environment' : ` and the environment ${quoted(environment)}`}. ` +
      'Its publisher adds trusted publishers.',
  );

export const ownerChanged = ({ repository }: Workload): Problem =>
  refused(
    'no_match',
    `${quoted(repository)} belongs to another account than when it was first used. Its publisher must add it again.`,
  );

export const publishTokenUnknown = (): Problem =>
  tokenInvalid('Unknown or expired publish token. Exchange a new identity token.');

export const otherListing = (name: string): Problem =>
  refused('publish_token_invalid', `This publish token is for ${name} alone.`);

export function trustInvalid(pointer: string, detail: string): Problem {
  return coreProblem('http.invalid', `${pointer.slice(1)} ${detail}.`, {
    reason: 'input',
    errors: [{ pointer, detail }],
  });
}

export const tooManyTrusted = (limit: number): Problem =>
  marketplaceProblem('marketplace.limit_exceeded', `A listing may have ${limit} trusted publishers.`, {
    reason: 'publishing',
  });

export const trustNotFound = (): Problem =>
  marketplaceProblem('marketplace.not_found', 'Trusted publisher not found.', { reason: 'trusted_publisher' });
