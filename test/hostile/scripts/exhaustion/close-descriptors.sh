# tries: closes standard input, output and error, points them at each other, and reads and writes on
# ends: completed, failed, timed_out
# limits: {"timeout_ms":3000}
exec 5<&0 6>&1 0<&-; read -r line; cat; exec 1>&2 2>&1; echo a; exec 2>&-; echo b >&2; exec 1>&-; echo c; printf d; cat main >&9
exec 1>&6; exec 0<&1; timeout 1 cat; exec 3<&- 4<&- 5<&- 6>&-; echo e
