/**
 * What a mailed link opens. The token stands behind the `#`, so that no server logs it, and is sent when a person presses
 * the button, not before: programs that look at the links of mails must not use them up.
 */

const message = document.querySelector('#message');
let token = '';

function show() {
  const [kind, value = ''] = location.hash.slice(1).split('=');
  const form = document.querySelector(`form[data-link="${CSS.escape(kind)}"]`) ?? document.querySelector('form[data-link=""]');
  token = value;
  for (const it of document.forms) it.hidden = it !== form;
  message.textContent = '';
  form.querySelector('input, button').focus();
  // Out of the address line and the history.
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
}

async function send(form) {
  const fields = Object.fromEntries(new FormData(form));
  const body = form.dataset.link === '' ? fields : { token, ...fields };
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
  });
  const answer = await response.json();
  message.textContent = response.ok ? form.dataset.done : answer.detail;
  form.hidden = response.ok;
  if (answer.access_token === undefined) return;
  document.querySelector('#token').textContent = answer.access_token;
  document.querySelector('details').hidden = false;
}

document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = event.submitter;
  button.disabled = true;
  try {
    await send(event.target);
  } catch {
    message.textContent = 'The service did not answer. Try again.';
  }
  button.disabled = false;
});

addEventListener('hashchange', () => location.hash !== '' && show());
show();
