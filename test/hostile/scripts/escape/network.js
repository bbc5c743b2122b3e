// tries: speaks to a listener of the host by `fetch`, sockets, beacons, name look-ups and forms of addresses
// ends: completed, failed
const urls = ['http://127.0.0.1:@PORT@/', 'http://localhost:@PORT@/', 'http://[::1]:@PORT@/', 'http://2130706433:@PORT@/', 'http://127.1:@PORT@/', 'file://@FILE@',
  'data:text/plain,x', 'blob:x', 'http://canary.invalid/', 'ws://127.0.0.1:@PORT@/', 'http://user:pass@127.0.0.1:@PORT@/', '//127.0.0.1:@PORT@/', '', 'http://169.254.169.254/'];
for (const url of urls) {
  for (const options of [{}, { method: 'POST', body: 'evil' }, { method: 'CONNECT' }, { headers: { 'x\r\ny': 'z' } }, { redirect: 'follow', signal: null }])
    try {
      fetch(url, options).then((answer) => answer.text().then((text) => console.log(answer.status, text)), () => {});
      fetch(new Request(url, options)).catch(() => {});
    } catch {}
  for (const act of [() => new WebSocket(url), () => new XMLHttpRequest().open('GET', url), () => new EventSource(url), () => navigator.sendBeacon(url),
    () => require('http').get(url), () => require('child_process').execSync(`curl -s ${url}`), () => require('child_process').execSync('echo x > /dev/tcp/127.0.0.1/@PORT@')])
    try {
      act();
    } catch {}
}
