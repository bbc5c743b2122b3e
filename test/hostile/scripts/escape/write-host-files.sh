# tries: writes, moves, links and deletes files of the host
# ends: completed
# says: END
for path in @DIR@/new ../../../../../../../..@DIR@/new /proc/self/root@DIR@/new /proc/self/cwd/new /dev/fd/3/../new; do
  echo x > "$path"; echo x >> "$path"; echo x | tee "$path"; cp main "$path"; mv main "$path"; ln -s /tmp "$path"; ln main "$path"
  mkdir -p "$path"; touch "$path"; chmod 777 "$path"; split -b 1 main "$path"; sed -i s/x/y/ "$path"
  tar cf "$path" main; gzip -c main > "$path"; awk "BEGIN { print 1 > \"$path\" }"
  sed "w $path" <<<x; sort -o "$path" main; exec 9> "$path"; echo x >&9; xan to json -o "$path" main; curl -o "$path" file:///etc/passwd
done 2>/dev/null >/dev/null
echo changed > @FILE@; rm -rf @DIR@ @FILE@; mv @DIR@ /tmp/gone; rmdir @DIR@; : > @FILE@; truncate -s 0 @FILE@; chmod 0 @FILE@
echo END
