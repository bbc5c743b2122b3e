# tries: endless programs inside jq, awk, sed and find
# when: soak
# ends: timed_out, memory_exceeded, failed
# limits: {"timeout_ms":800}
jq -n 'def f: f; f' & awk 'BEGIN { while (1) x = x + 1 }' & echo x | sed ':a;s/x/x/;ba' &
jq -n '[range(1e12)] | length'; jq -n 'last(repeat(1))'; jq -n '"x" * 1e12'; awk 'BEGIN { while (1) x = x x "y" }'; echo x | sed ':a;s/x/xx/;ba'
while :; do awk 'BEGIN { for (;;) a[i++] = i }'; done
