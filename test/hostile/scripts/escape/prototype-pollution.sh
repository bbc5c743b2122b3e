# tries: uses the names that JavaScript objects inherit as variables, functions, files, keys and columns
# when: soak
# ends: completed
# says: END
for name in __proto__ constructor prototype toString hasOwnProperty valueOf __defineGetter__ polluted; do
  declare -A map; map[$name]=evil; map[$name.polluted]=evil; declare "$name=evil"; export $name; eval "$name() { echo evil; }"; $name
  printf -v $name evil; alias $name=evil; mkdir -p "$name/$name"; echo evil > "$name/polluted"; unset "map[$name]"; read $name <<<evil
  jq -n --arg n $name '{($n): {polluted: "evil"}} | setpath([$n, "polluted"]; 1) | .[$n] + {} | to_entries | from_entries'
  jq -n "{a: 1} * {\"$name\": {\"polluted\": \"evil\"}}"; echo "{\"$name\": {\"polluted\": \"evil\"}}" | jq -S 'to_entries, keys, paths'
  echo "$name: {polluted: evil}" | yq .; awk -v n=$name 'BEGIN { a[n] = "evil"; a[n, "polluted"] = 1; for (k in a) print k; print n[1] }'
  printf "$name,b\nevil,1\n" | xan select $name; echo "select 1 as $name" | sqlite3 -json
  command $name; type $name; $name -x; let $name=1; local $name; getopts $name x
done >/dev/null 2>&1
echo "$polluted ${polluted}" | grep -c evil
echo END
