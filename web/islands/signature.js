/** A challenge of ours, or a text of a form's, signed by a wallet. */

export async function signChallenge({ wallet_type, sign }) {
  let challenge_id = '';
  const { address, signature } = await sign(async (wallet_address) => {
    const challenge = await challengeFor(wallet_type, wallet_address);
    challenge_id = challenge.challenge_id;
    return challenge.message;
  });
  return { challenge_id, signature, wallet_address: address };
}

export async function signText({ wallet_type, sign }, text) {
  const { address, signature } = await sign(() => text);
  return { wallet_type, wallet_address: address, signature };
}

async function challengeFor(wallet_type, wallet_address) {
  const answer = await fetch('/-/api/wallets/challenge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet_address, wallet_type }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return body;
}

/** Into the form, as `step.signature` and so on. */
export function putInto(form, name, proof) {
  for (const [field, value] of Object.entries(proof)) {
    const known = form.elements[`${name}.${field}`];
    const input = known ?? document.createElement('input');
    Object.assign(input, { type: 'hidden', name: `${name}.${field}`, value });
    if (known === undefined) form.append(input);
  }
}

/** What a wallet's refusal is in words. */
export function whyNot(error) {
  if (error?.code === 4001 || /reject|denied|cancel/i.test(error?.message ?? ''))
    return 'The wallet did not sign. Nothing was done.';
  if (error?.code === -32002) return 'The wallet waits for you: open it and answer there.';
  return error?.message || 'The wallet did not answer.';
}
