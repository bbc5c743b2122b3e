import { coreProblem } from '#core/errors.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { SERVICE } from '#core/service.ts';
import { verifyCommand as run } from '#runtime/receipts/verify-command.ts';
import type { Command } from './command.ts';

export const verifyCommand: Command = {
  summary: 'verify a receipt, offline',
  usage: `verify FILE [--issuer URL | --key FILE] [--json]

  FILE           a receipt bundle; - reads standard input
  --issuer URL   trust the keys published by the service at URL
  --key FILE     trust the keys in FILE: a JWK, a JWK set or PEM

Exit codes: 0 valid, signed by the given issuer; 1 invalid; 2 usage error; 3 consistent, but the issuer is unknown.`,
  run: async (argv) => {
    // The user names the issuer, so its address may be local.
    const outbound = createOutbound({ allow_loopback: true, user_agent: SERVICE.title });
    const read = async (url: string): Promise<string> => {
      const answer = await outbound.fetch(url);
      if (answer.ok) return answer.text();
      throw coreProblem(
        'command.file_unavailable',
        `${url} returned status ${answer.status}. Check that it is a Capstan service.`,
        { reason: 'issuer_read' },
      );
    };
    try {
      return await run(argv, process, { read });
    } finally {
      await outbound.close();
    }
  },
};
