# tries: sleeps past its limit, in the background too, and waits for ever
# when: soak
# ends: timed_out
# limits: {"timeout_ms":500}
sleep 100000 & sleep 99999999 & timeout 9999999 sleep infinity & wait; sleep 1000; read -t 99999 line < /dev/tty; while :; do sleep 1; done
