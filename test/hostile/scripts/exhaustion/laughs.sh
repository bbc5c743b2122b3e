# tries: a billion laughs in YAML and XML, deep nesting in JSON, YAML and TOML, wide CSV
# ends: completed, failed, memory_exceeded, timed_out, output_exceeded
# when: soak
# limits: {"timeout_ms":4000}
{ echo 'a0: &a0 [x,x,x,x,x,x,x,x,x]'; for i in 1 2 3 4 5 6 7 8 9; do echo "a$i: &a$i [*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1))]"; done; } > laughs.yaml
yq . laughs.yaml | wc -c; yq -o json . laughs.yaml | wc -c
{ echo '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY x SYSTEM "file://@FILE@">'; for i in b c d e f g h i; do echo "<!ENTITY $i \"&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"; done; echo ']><l>&x;&i;&i;&i;</l>'; } > laughs.xml
yq -p xml . laughs.xml | wc -c; printf '[%.0s' {1..50000} > deep; jq . deep | wc -c; yq . deep | wc -c; printf 'a.%.0s' {1..9999} > t.toml; echo 'x=1' >> t.toml; yq -p toml . t.toml | wc -c
printf 'a,%.0s' {1..99999} > wide.csv; xan stats wide.csv | wc -c
