import { type Issuer, webOf } from './issuers.ts';

/** What the verified claims of an identity token say about the workflow that asked for it. Pure. */

export interface Workload {
  /** `owner/name` at GitHub, with groups at GitLab. */
  repository: string;
  /** A number that a deleted account's successor does not get. */
  owner_id: string;
  /** Name of the workflow's file at GitHub, its path at GitLab. */
  workflow: string;
  /** "" if the job names none. */
  environment: string;
  ref: string;
  sha: string;
  repository_url: string;
  run_url: string;
}

const REPOSITORY = /^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,20}$/;
const WORKFLOW = /^[\w./-]{1,200}\.ya?ml$/;

/** The forms of a repository and a workflow that can be trusted. */
export const isRepository = ({ kind }: Pick<Issuer, 'kind'>, text: string): boolean =>
  REPOSITORY.test(text) && (kind === 'gitlab' || text.split('/').length === 2);
export const isWorkflow = ({ kind }: Pick<Issuer, 'kind'>, text: string): boolean =>
  WORKFLOW.test(text) && !text.split('/').includes('..') && (kind === 'gitlab' || !text.includes('/'));

/** Or why no workflow is described. */
export function workloadOf(issuer: Issuer, claims: Record<string, unknown>): Workload | { unfit: string } {
  return issuer.kind === 'github' ? atGithub(issuer, claims) : atGitlab(issuer, claims);
}

const textOf = (value: unknown): string => (typeof value === 'string' && value.length <= 500 ? value : '');
const numberOf = (value: unknown): string => (/^\d{1,20}$/.test(`${value}`) ? `${value}` : '');
const shaOf = (value: unknown): string => (/^[0-9a-f]{40,64}$/.test(textOf(value)) ? textOf(value) : '');

function atGithub(issuer: Issuer, claims: Record<string, unknown>): Workload | { unfit: string } {
  // It runs with the repository's rights for a pull request of anyone.
  if (claims.event_name === 'pull_request_target')
    return { unfit: 'A workflow that pull_request_target starts must not publish.' };
  const repository = textOf(claims.repository);
  const [, path = ''] = textOf(claims.workflow_ref).split(`${repository}/.github/workflows/`);
  const [workflow = ''] = path.split('@');
  const [owner_id, run] = [numberOf(claims.repository_owner_id), numberOf(claims.run_id)];
  const starts = textOf(claims.workflow_ref).startsWith(`${repository}/.github/workflows/`);
  if (!starts || !isRepository(issuer, repository) || !isWorkflow(issuer, workflow) || owner_id === '')
    return { unfit: 'The token does not name a repository and a workflow.' };
  const repository_url = `${webOf(issuer)}/${repository}`;
  return {
    repository,
    owner_id,
    workflow,
    environment: textOf(claims.environment),
    ref: textOf(claims.ref),
    sha: shaOf(claims.sha),
    repository_url,
    run_url: run === '' ? repository_url : `${repository_url}/actions/runs/${run}`,
  };
}

function atGitlab(issuer: Issuer, claims: Record<string, unknown>): Workload | { unfit: string } {
  const repository = textOf(claims.project_path);
  const start = `${new URL(issuer.url).host}/${repository}//`;
  const written = textOf(claims.ci_config_ref_uri);
  const [workflow = ''] = written.slice(start.length).split('@');
  const [owner_id, pipeline] = [numberOf(claims.namespace_id), numberOf(claims.pipeline_id)];
  if (
    !written.startsWith(start) ||
    !isRepository(issuer, repository) ||
    !isWorkflow(issuer, workflow) ||
    owner_id === ''
  )
    return { unfit: 'The token does not name a project and its CI file.' };
  const repository_url = `${webOf(issuer)}/${repository}`;
  return {
    repository,
    owner_id,
    workflow,
    environment: textOf(claims.environment),
    ref: textOf(claims.ref_path) || textOf(claims.ref),
    sha: shaOf(claims.sha),
    repository_url,
    run_url: pipeline === '' ? repository_url : `${repository_url}/-/pipelines/${pipeline}`,
  };
}
