# tries: ranges, widths, shifts, indexes and powers that are far too large
# when: soak
# ends: completed, failed, timed_out, memory_exceeded, output_exceeded
# limits: {"timeout_ms":2000}
echo $((1 << 9999)) $((2 ** 999999999)) $((9223372036854775807 + 1)) $((1 / 0)) $((x[x[x]])) | head -c 99
a[999999999999]=1; printf -v b '%999999999d' 1; printf '%*d' 2147483647 1 | head -c 9; head -c 99999999999 main | wc -c
seq 1 0.0000001 2 | head -n 1; sleep -1; sleep 1e-9; timeout 0 true; ulimit -v 1; : {1..100000000}; : {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}
