/** The suite needs the name at its import. Only its `tier-check` command makes one. */
export class Octokit {
  constructor() {
    throw new Error('GitHub checks of the conformance suite are not installed: run npx @modelcontextprotocol/conformance tier-check.');
  }
}
