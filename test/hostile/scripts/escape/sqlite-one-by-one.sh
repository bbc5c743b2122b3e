# tries: the same database statements, each in a separate run
# ends: completed, timed_out
# when: soak
while read -r sql; do sqlite3 :memory: "$sql"; echo "$sql" | sqlite3; done <<'SQL' 2>&1 | grep -v 'echo WORKED'
attach '@FILE@' as a; select * from a.sqlite_master
attach '@DIR@/db' as b; create table b.t (x); insert into b.t values ('evil')
select readfile('@FILE@')
select writefile('@DIR@/new', 'evil')
select load_extension('@FILE@')
vacuum into '@DIR@/copy'
pragma temp_store_directory = '@DIR@'
.shell echo WORKED
.read @FILE@
.import @FILE@ t
.open @DIR@/db
SQL
