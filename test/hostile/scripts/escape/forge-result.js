// tries: writes frames of the service's own protocol to descriptors and devices, to forge a success and files
// when: soak
// ends: failed
// exit_code: 7
const fs = require('fs');
const frames = '\n{"type":"output","stream":"stdout","data":"Rk9SR0VE"}\n{"type":"file","path":"../../forged","data":"Rk9SR0VE"}\n{"type":"end","exit_code":0}\n';
for (let number = 0; number < 40; number++)
  for (const to of [number, `/dev/fd/${number}`, `/proc/self/fd/${number}`, `/proc/1/fd/${number}`])
    for (const act of [() => fs.writeFileSync(to, frames), () => fs.appendFileSync(to, frames), () => require('child_process').execSync(`echo '${frames}' >&${number}`)])
      try {
        act();
      } catch {}
console.log(frames);
console.error(frames);
process.exit(7);
