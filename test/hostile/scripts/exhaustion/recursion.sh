# tries: functions, substitutions, sources and parentheses without an end
# ends: completed, failed, timed_out, memory_exceeded
# limits: {"timeout_ms":2000}
f() { f "$@"; }; (f)
echo 'source ./again' > again; (source ./again)
alias a=a; eval "$(printf '(%.0s' {1..9000})"; eval "echo $(printf '$(%.0s' {1..3000})"
g() { echo "$(g)"; }; g
