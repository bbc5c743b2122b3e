# tries: lets the database open, read, write and load files of the host
# when: soak
# ends: completed
# says: END
sqlite3 :memory: "attach '@FILE@' as a; select * from a.sqlite_master"
for sql in "attach '@DIR@/db' as b; create table b.t (x); insert into b.t values ('evil')" "select readfile('@FILE@')" \
  "select writefile('@DIR@/new', 'evil')" "select load_extension('@FILE@')" "select load_extension('/lib/x86_64-linux-gnu/libc.so.6', 'system')" \
  "vacuum into '@DIR@/copy'" "pragma temp_store_directory = '@DIR@'" "select fts3_tokenizer('simple', x'4141414141414141')" \
  "pragma writable_schema = on; update sqlite_master set sql = 'x'" "select * from pragma_database_list" "select edit('x', 'sh')" \
  ".shell echo WORKED" ".system echo WORKED" ".read @FILE@" ".import @FILE@ t" ".open @DIR@/db" ".output @DIR@/new" ".once |cat" ".cd /" ".load x"; do
  printf '%s;\n' "$sql"
done > all.sql
sqlite3 :memory: < all.sql 2>&1 | grep -v 'echo WORKED'
sqlite3 :memory: "select readfile('@FILE@'); attach '@DIR@/db' as b; create table b.t (x)"
echo END
