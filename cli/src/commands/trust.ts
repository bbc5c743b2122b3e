import { command, group } from '../command.ts';
import { table } from '../output.ts';

/** CI workflows that may publish a listing without a key. */

const args = { listing: 'publisher/name, or its id' };

export const trust = group(
  'trust',
  {
    summary: 'let CI workflows publish your listings: list, add, remove',
    about: 'A trusted workflow publishes new versions of a listing with `capstan publish --ci`, without a stored key.',
  },
  [
    command('list <listing>', {
      about: 'List the trusted workflows of a listing.',
      args,
      isDefault: true,
      call: ({ capstan }, { listing }) => capstan.trustedPublishers.list({ id: listing }),
      text: ({ items }) =>
        items.length === 0
          ? 'No workflow is trusted. Add one with capstan trust add.'
          : table(
              items.map((item) => [
                item.id,
                item.issuer,
                item.repository,
                item.workflow,
                item.environment || 'any environment',
                item.last_used_at?.slice(0, 10) ?? 'never used',
              ]),
            ),
    }),
    command('add <listing>', {
      about: 'Trust a workflow. Requires a wallet signature (--wallet-key), or a sign-in within the last ten minutes.',
      args,
      options: {
        '--repository <name>': { about: 'owner/name', required: true },
        '--workflow <file>': { about: 'file in .github/workflows, such as release.yml', required: true },
        '--environment <name>': 'environment that the job must name',
        '--issuer <name>': { about: 'CI service', default: 'github' },
      },
      call: ({ capstan }, { listing, repository, workflow, environment, issuer }) =>
        capstan.trustedPublishers.create({ id: listing, body: { issuer, repository, workflow, environment } }),
      text: ({ id, repository, workflow }) => `${repository} ${workflow} may publish. Id ${id}.`,
    }),
    command('remove <listing> <id>', {
      about: 'Stop trusting a workflow at once.',
      args: { ...args, id: 'id from capstan trust list' },
      call: ({ capstan }, { listing, id }) => capstan.trustedPublishers.delete({ id: listing, trusted_id: id }),
      text: ({ status }) => status,
    }),
  ],
);
