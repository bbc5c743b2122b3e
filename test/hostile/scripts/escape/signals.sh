# tries: signals the service, its process group, the first process and itself, and traps its own end
# ends: completed, failed
trap '' TERM KILL INT HUP; trap 'echo trapped' EXIT
for signal in KILL STOP TERM INT USR1 9 19 -1 999; do
  for target in @PID@ $PPID 1 0 -1 -@PID@ $$ %1 99999999999; do kill -s $signal -- $target; kill -$signal $target; done
done 2>/dev/null
suspend; disown -a; renice -n 19 @PID@; ulimit -u 0; logout
echo END
