import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuersSetting } from './issuers.ts';
import { workloadOf } from './workload.ts';

const parse = (text: string) => issuersSetting('X', '').parse(text);
const [github, gitlab] = parse('gitlab=gitlab:https://gitlab.com/');

const AT_GITHUB = {
  repository: 'ada/words',
  repository_owner_id: '1815',
  workflow_ref: 'ada/words/.github/workflows/release.yml@refs/tags/v1',
  ref: 'refs/tags/v1',
  sha: 'a'.repeat(40),
  run_id: '77',
  event_name: 'push',
};

test('the setting adds issuers to GitHub Actions, or replaces it', () => {
  assert.deepEqual(
    [github?.url, gitlab?.url, parse('').length],
    ['https://token.actions.githubusercontent.com', 'https://gitlab.com', 1],
  );
  assert.deepEqual(parse('github=github:http://127.0.0.1:9'), [
    { name: 'github', kind: 'github', url: 'http://127.0.0.1:9' },
  ]);
  for (const wrong of [
    'gitlab',
    'gitlab=https://x',
    'x=other:https://x',
    'x=github:http://example.org',
    'X=github:https://x',
  ])
    assert.throws(() => parse(wrong), /must be comma-separated/);
});

test('reads the workflow of GitHub Actions and GitLab', () => {
  assert.deepEqual(workloadOf(github as never, { ...AT_GITHUB, environment: 'release' }), {
    repository: 'ada/words',
    owner_id: '1815',
    workflow: 'release.yml',
    environment: 'release',
    ref: 'refs/tags/v1',
    sha: 'a'.repeat(40),
    repository_url: 'https://github.com/ada/words',
    run_url: 'https://github.com/ada/words/actions/runs/77',
  });
  const claims = {
    project_path: 'group/sub/words',
    namespace_id: '7',
    ci_config_ref_uri: 'gitlab.com/group/sub/words//.gitlab-ci.yml@refs/heads/main',
    pipeline_id: '9',
    ref_path: 'refs/heads/main',
  };
  const read = workloadOf(gitlab as never, claims);
  assert.ok(!('unfit' in read));
  assert.deepEqual(
    [read.repository, read.workflow, read.ref, read.run_url],
    ['group/sub/words', '.gitlab-ci.yml', 'refs/heads/main', 'https://gitlab.com/group/sub/words/-/pipelines/9'],
  );
});

test('refuses claims that name the workflow of another repository, or none', () => {
  const cases: Record<string, unknown>[] = [
    { workflow_ref: 'eve/words/.github/workflows/release.yml@refs/heads/main' },
    { workflow_ref: 'xada/words/.github/workflows/release.yml@x' },
    { workflow_ref: 'ada/words/.github/workflows/../x.yml@x' },
    { workflow_ref: 'ada/words/release.yml@x' },
    { workflow_ref: 7 },
    { repository: 'ada' },
    { repository: '' },
    { repository: 'ada/words/more' },
    { repository_owner_id: 'ada' },
    { repository_owner_id: undefined },
    { event_name: 'pull_request_target' },
  ];
  for (const change of cases)
    assert.ok('unfit' in workloadOf(github as never, { ...AT_GITHUB, ...change }), JSON.stringify(change));
  const elsewhere = { project_path: 'a/b', namespace_id: '7', ci_config_ref_uri: 'evil.example/a/b//.gitlab-ci.yml@x' };
  assert.ok('unfit' in workloadOf(gitlab as never, elsewhere));
});
